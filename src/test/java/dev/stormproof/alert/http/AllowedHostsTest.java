package dev.stormproof.alert.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AllowedHostsTest {
    @ParameterizedTest
    @CsvSource({
        "localhost,            true,  true",
        "LOCALHOST:80,         true,  true",
        "127.0.0.1:,           true,  true",
        "[::1]:8090,           true,  true",
        "metrics.example:1,    true,  true",
        "10.1.2.3:80,          false, true",
        "[2001:DB8::1],        false, true",
        "[fe80::1%2]:9,        false, true",
        "worker_1-a:9404,      false, true",
        "worker1.example,      false, false",
        "10.1.2.3.example,     false, false",
        "[::1].example,        false, false",
        "[::g],                false, false",
        "localhost.,           false, false",
        "localhost:80:80,      false, false",
        "localhost:x,          false, false",
        "a b,                  false, false",
        ":80,                  false, false",
        "'',                   false, false"
    })
    void aServerIsKnownByItsNames(String host, boolean onLoopback, boolean beyond) throws Exception {
        for (boolean loopback : List.of(true, false)) {
            InetAddress address = InetAddress.getByName(loopback ? "127.0.0.1" : "0.0.0.0");
            AllowedHosts hosts = new AllowedHosts(new InetSocketAddress(address, 80), List.of("Metrics.example"));

            assertThat(hosts.allow(List.of(host))).isEqualTo(loopback ? onLoopback : beyond);
            assertThat(hosts.allow(List.of())).isFalse();
            assertThat(hosts.allow(List.of("localhost", host))).isFalse();
        }
    }
}

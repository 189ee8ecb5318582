package dev.stormproof.http;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RequestTest {
    private static Request parsed(String head) throws Request.Refused {
        return Request.parse(head.getBytes(ISO_8859_1));
    }

    @Test
    void aHeadIsReadAsItStands() throws Exception {
        Request request = parsed(
                "GET /a%20page?key=%C3%A9%26x&other= HTTP/1.1\r\nHost: here:80\r\nCOOKIE:a=1 \r\ncookie:\t b=2\r\nEmpty:");

        assertThat(request.method()).isEqualTo("GET");
        assertThat(request.path()).isEqualTo("/a page");
        assertThat(request.parameter("key")).contains("é&x");
        assertThat(request.parameter("other")).contains("");
        assertThat(request.parameter("ke")).isEmpty();
        assertThat(request.headers("host")).containsExactly("here:80");
        assertThat(request.headers("cookie")).containsExactly("a=1", "b=2");
        assertThat(request.headers("empty")).containsExactly("");
        assertThat(parsed("GET / HTTP/1.0").headers()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "GET",
                "GET /",
                "GET  / HTTP/1.1",
                "get / HTTP/1.1",
                "GET / HTTP/2.0",
                "GET http://here/ HTTP/1.1",
                "GET /\u00e9 HTTP/1.1",
                "GET /%zz HTTP/1.1",
                "GET / HTTP/1.1\r\nno header",
                "GET / HTTP/1.1\r\nHost : here",
                "GET / HTTP/1.1\r\nHost: here\r\n more",
                "GET / HTTP/1.1\r\nHost: here\nX: y",
                "GET / HTTP/1.1\r\n: y",
                "\r\nGET / HTTP/1.1"
            })
    void anythingElseIsRefused(String head) {
        assertThatThrownBy(() -> parsed(head))
                .isInstanceOfSatisfying(
                        Request.Refused.class,
                        refused -> assertThat(refused.status()).isEqualTo(400));
    }

    @ParameterizedTest
    @CsvSource({
        "localhost,            true,  true",
        "LOCALHOST:80,         true,  true",
        "127.0.0.1:,           true,  true",
        "[::1]:8090,           true,  true",
        "metrics.example:1,    true,  true",
        "10.1.2.3:80,          false, true",
        "[2001:DB8::1],        false, true",
        "worker_1-a:9404,      false, true",
        "worker1.example,      false, false",
        "10.1.2.3.example,     false, false",
        "[::1].example,        false, false",
        "localhost.,           false, false",
        "a b,                  false, false",
        "'',                   false, false"
    })
    void aServerIsKnownByItsNames(String host, boolean onLoopback, boolean beyond) throws Exception {
        for (boolean loopback : List.of(true, false)) {
            InetAddress address = InetAddress.getByName(loopback ? "127.0.0.1" : "0.0.0.0");
            KnownHosts hosts = new KnownHosts(new InetSocketAddress(address, 80), List.of("Metrics.example"));

            assertThat(hosts.areNamedBy(List.of(host))).isEqualTo(loopback ? onLoopback : beyond);
            assertThat(hosts.areNamedBy(List.of())).isFalse();
            assertThat(hosts.areNamedBy(List.of("localhost", host))).isFalse();
        }
    }
}

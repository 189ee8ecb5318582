package dev.stormproof.discovery;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ScrapeTargetsTest {
    @ParameterizedTest
    @CsvSource({
        "10.0.0.3,       /192.168.0.9,       10.0.0.3:9404",
        "127.0.0.1,      /192.168.0.9,       127.0.0.1:9404",
        "::1,            /192.168.0.9,       [0:0:0:0:0:0:0:1]:9404",
        "0.0.0.0,        /192.168.0.9,       192.168.0.9:9404",
        "::,             /192.168.0.9,       192.168.0.9:9404",
        "0.0.0.0,        /0:0:0:0:0:0:0:1,   [0:0:0:0:0:0:0:1]:9404"
    })
    void aTargetIsWhereItIsServedOrIfThatIsEverywhereWhereTheBrokerSeesIt(String host, String seenAt, String target) {
        String clientId = ScrapeTargets.clientId(new InetSocketAddress(host, 9404));

        assertThat(ScrapeTargets.target(clientId, seenAt)).isEqualTo(Optional.of(target));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "consumer-orders-1",
                "stormproof-metrics@",
                "stormproof-metrics@a:b",
                "stormproof-metrics@user@host:9404",
                "stormproof-metrics@host/path:9404",
                "stormproof-metrics@host:123456"
            })
    void aMemberThatIsNoneOfOursIsNoTarget(String clientId) {
        assertThat(ScrapeTargets.target(clientId, "/10.0.0.3")).isEmpty();
    }

    /** As https://prometheus.io/docs/prometheus/latest/http_sd/ has it. */
    @Test
    void theListHasAnObjectForEachGroupThatHasMembers() throws Exception {
        ScrapeTargets targets = new ScrapeTargets(new TreeMap<>(Map.of(
                "orders", new TreeSet<>(List.of("a:2", "a:1")),
                "payments", new TreeSet<>())));

        assertThat(new ObjectMapper().readTree(targets.json()))
                .isEqualTo(new ObjectMapper()
                        .readTree("[{\"targets\": [\"a:1\", \"a:2\"],"
                                + " \"labels\": {\"__meta_stormproof_group\": \"orders\"}}]"));
    }

    @Test
    void withoutMembersTheListIsEmpty() {
        assertThat(new ScrapeTargets(new TreeMap<>()).json()).isEqualTo("[]");
    }
}

package dev.stormproof.discovery;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.net.InetSocketAddress;
import java.util.Collection;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ExecutionException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ConsumerGroupDescription;
import org.apache.kafka.clients.admin.MemberDescription;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.errors.GroupIdNotFoundException;

/**
 * The targets that Prometheus scrapes of some topologies: where the members of their groups say that they serve metrics.
 *
 * <pre>
 *   client.id = stormproof-metrics@HOST:PORT     served at that address alone
 *   client.id = stormproof-metrics@:PORT         served at every address: the one that the broker sees it at
 * </pre>
 *
 * @param byGroup {@code host:port} of each, by the group of the topology; a group of which nobody is there has none
 * @see <a href="https://prometheus.io/docs/prometheus/latest/http_sd/">HTTP SD</a>
 */
public record ScrapeTargets(SortedMap<String, NavigableSet<String>> byGroup) {
    /** The label of a target that names its group; relabelling may use it, and Prometheus drops it then. */
    static final String GROUP_LABEL = "__meta_stormproof_group";

    private static final String SUFFIX = "-metrics";
    private static final String CLIENT = "stormproof-metrics@";
    private static final Pattern CLIENT_ID =
            Pattern.compile(CLIENT + "([0-9a-zA-Z._-]*|\\[[0-9a-f:.%]+])" + ":([0-9]{1,5})");

    /** The group whose members say where the metrics of a topology are served. */
    public static String group(String topology) {
        return topology + SUFFIX;
    }

    /** What a member is called that is served there. */
    static String clientId(InetSocketAddress served) {
        String host = served.getAddress().isAnyLocalAddress()
                ? ""
                : inUrl(served.getAddress().getHostAddress());
        return CLIENT + host + ":" + served.getPort();
    }

    /**
     * Asks Kafka who is there.
     *
     * @throws ExecutionException if it does not answer for one of them: what is unknown is not empty
     */
    public static ScrapeTargets read(Admin admin, Collection<String> topologies)
            throws ExecutionException, InterruptedException {
        Map<String, KafkaFuture<ConsumerGroupDescription>> asked = admin.describeConsumerGroups(
                        topologies.stream().map(ScrapeTargets::group).toList())
                .describedGroups();
        SortedMap<String, NavigableSet<String>> byGroup = new TreeMap<>();
        for (String topology : topologies) {
            NavigableSet<String> targets = byGroup.computeIfAbsent(topology, name -> new TreeSet<>());
            try {
                Objects.requireNonNull(asked.get(group(topology)))
                        .get()
                        .members()
                        .forEach(member -> target(member).ifPresent(targets::add));
            } catch (ExecutionException e) {
                if (!(e.getCause() instanceof GroupIdNotFoundException)) {
                    throw e;
                }
            }
        }
        return new ScrapeTargets(byGroup);
    }

    private static Optional<String> target(MemberDescription member) {
        return target(member.clientId(), member.host());
    }

    /** Where a member is served; empty if it is none of ours. */
    static Optional<String> target(String clientId, String seenAt) {
        Matcher text = CLIENT_ID.matcher(clientId);
        if (!text.matches()) {
            return Optional.empty();
        }
        String host = text.group(1).isEmpty() ? inUrl(seenAt.substring(seenAt.indexOf('/') + 1)) : text.group(1);
        return Optional.of(host + ":" + text.group(2));
    }

    /** As Prometheus reads it: an array with an object for each group. */
    public String json() {
        ArrayNode groups = JsonNodeFactory.instance.arrayNode();
        byGroup.forEach((topology, targets) -> {
            if (!targets.isEmpty()) {
                ObjectNode group = groups.addObject();
                ArrayNode hosts = group.putArray("targets");
                targets.forEach(hosts::add);
                group.putObject("labels").put(GROUP_LABEL, topology);
            }
        });
        return groups.toString();
    }

    private static String inUrl(String address) {
        return address.contains(":") ? "[" + address + "]" : address;
    }
}

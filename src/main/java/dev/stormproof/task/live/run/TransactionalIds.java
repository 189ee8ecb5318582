package dev.stormproof.task.live.run;

import dev.stormproof.log.kafka.KafkaAnswers;
import dev.stormproof.task.config.StormproofConfig;
import dev.stormproof.task.live.progress.ProgressMetadata;
import java.util.Collection;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.TransactionListing;
import org.apache.kafka.common.errors.TransactionalIdNotFoundException;
import org.apache.kafka.common.errors.UnsupportedVersionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The transactional ids of a topology's tasks: {@code stormproof-GROUP-0of2}.
 *
 * <p>The next task of an index has the same id, so it fences its predecessor. A topology with another number of tasks has other ids, and
 * other partitions for each. Therefore a task fences the ids of all other numbers before it reads the progress, so that a suspended
 * task of an earlier topology cannot write later. The transaction coordinators (Admin.listTransactions) and the metadata of the progress
 * name these ids.
 */
public final class TransactionalIds {
    private static final Logger LOG = LoggerFactory.getLogger(TransactionalIds.class);
    private static final Pattern WRITER = Pattern.compile("[0-9]+of[0-9]+");

    private TransactionalIds() {}

    /** The id of a task among those that verify. */
    public static String of(StormproofConfig config, int index) {
        return prefix(config) + writer(config, index);
    }

    /** The id of a task among those that notarize. */
    public static String ofNotary(StormproofConfig config, int index) {
        return notaryPrefix(config) + writer(config, index);
    }

    /** The end of that id, which names the task in a {@link ProgressMetadata}. */
    public static String writer(StormproofConfig config, int index) {
        return index + "of" + config.tasks.verifying();
    }

    /**
     * Fences the verifying tasks of topologies with another number of tasks; false if there are none.
     *
     * @param writers the tasks that the committed progress names, besides those that Kafka knows
     */
    public static boolean fenceOthers(StormproofConfig config, Collection<String> writers) {
        return fenceOthers(config, prefix(config), writers);
    }

    /** As {@link #fenceOthers}, for the tasks that notarize. */
    public static boolean fenceOtherNotaries(StormproofConfig config, Collection<String> writers) {
        return fenceOthers(config, notaryPrefix(config), writers);
    }

    /** True if the brokers know the id of a task: a producer has it. */
    public static boolean isKnown(StormproofConfig config, int index) {
        String id = of(config, index);
        try (Admin admin = Admin.create(config.kafkaAdmin())) {
            var unused = KafkaAnswers.get(admin.describeTransactions(Set.of(id)).description(id));
            return true;
        } catch (TransactionalIdNotFoundException e) {
            return false;
        }
    }

    private static boolean fenceOthers(StormproofConfig config, String prefix, Collection<String> writers) {
        try (Admin admin = Admin.create(config.kafkaAdmin())) {
            Set<String> others = new TreeSet<>();
            Stream.concat(listed(admin, prefix), writers.stream())
                    .filter(writer ->
                            WRITER.matcher(writer).matches() && !writer.endsWith("of" + config.tasks.verifying()))
                    .forEach(writer -> others.add(prefix + writer));
            if (!others.isEmpty()) {
                var unused = KafkaAnswers.get(admin.fenceProducers(others).all());
                LOG.info("fenced the tasks of an earlier topology of this group: {}", others);
            }
            return !others.isEmpty();
        }
    }

    private static Stream<String> listed(Admin admin, String prefix) {
        try {
            return KafkaAnswers.get(admin.listTransactions().all()).stream()
                    .map(TransactionListing::transactionalId)
                    .filter(id -> id.startsWith(prefix))
                    .map(id -> id.substring(prefix.length()));
        } catch (UnsupportedVersionException e) {
            return Stream.empty();
        }
    }

    private static String prefix(StormproofConfig config) {
        return "stormproof-" + config.groupId() + "-";
    }

    private static String notaryPrefix(StormproofConfig config) {
        return prefix(config) + "notary-";
    }
}

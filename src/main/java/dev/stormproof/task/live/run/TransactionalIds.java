package dev.stormproof.task.live.run;

import dev.stormproof.task.config.StormproofConfig;
import dev.stormproof.task.live.progress.ProgressMetadata;
import java.util.Collection;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ExecutionException;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.TransactionListing;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.TransactionalIdNotFoundException;
import org.apache.kafka.common.errors.UnsupportedVersionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The transactional ids of a topology's tasks: {@code stormproof-GROUP-0of2}.
 *
 * <p>The next task of an index fences its predecessor, for it has the same id. A topology with another number of tasks has other
 * ids, and other partitions for each; so a task fences all ids of other numbers before it reads the progress, lest one that was
 * stopped for a while goes on writing. Which there are, the transaction coordinators know (Admin.listTransactions), and the
 * metadata beside the progress.
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
    static String ofNotary(StormproofConfig config, int index) {
        return notaryPrefix(config) + writer(config, index);
    }

    /** The end of that id, which names the task in a {@link ProgressMetadata}. */
    public static String writer(StormproofConfig config, int index) {
        return index + "of" + config.tasks.verifying();
    }

    /** Fences the tasks of other numbers, as far as Kafka or the metadata names any; false if there are none. */
    public static boolean fenceOthers(StormproofConfig config, Collection<String> writersInNotes) {
        return fenceOthers(config, prefix(config), writersInNotes);
    }

    /** The same for the tasks that notarize. */
    static boolean fenceOtherNotaries(StormproofConfig config, Collection<String> writersInProgress) {
        return fenceOthers(config, notaryPrefix(config), writersInProgress);
    }

    /** True if the brokers know the id of a task: a producer has it. */
    public static boolean isKnown(StormproofConfig config, int index) {
        String id = of(config, index);
        try (Admin admin = Admin.create(config.kafkaAdmin())) {
            var unused = admin.describeTransactions(Set.of(id)).description(id).get();
            return true;
        } catch (ExecutionException e) {
            if (e.getCause() instanceof TransactionalIdNotFoundException) {
                return false;
            }
            throw e.getCause() instanceof KafkaException cause ? cause : new KafkaException(e.getCause());
        } catch (InterruptedException e) {
            throw new InterruptException(e);
        }
    }

    private static boolean fenceOthers(StormproofConfig config, String prefix, Collection<String> writersInNotes) {
        try (Admin admin = Admin.create(config.kafkaAdmin())) {
            Set<String> others = new TreeSet<>();
            Stream.concat(listed(admin, prefix), writersInNotes.stream())
                    .filter(writer ->
                            WRITER.matcher(writer).matches() && !writer.endsWith("of" + config.tasks.verifying()))
                    .forEach(writer -> others.add(prefix + writer));
            if (!others.isEmpty()) {
                admin.fenceProducers(others).all().get();
                LOG.info("fenced the tasks of an earlier topology of this group: {}", others);
            }
            return !others.isEmpty();
        } catch (ExecutionException e) {
            throw e.getCause() instanceof KafkaException cause ? cause : new KafkaException(e.getCause());
        } catch (InterruptedException e) {
            throw new InterruptException(e);
        }
    }

    private static Stream<String> listed(Admin admin, String prefix) throws ExecutionException, InterruptedException {
        try {
            return admin.listTransactions().all().get().stream()
                    .map(TransactionListing::transactionalId)
                    .filter(id -> id.startsWith(prefix))
                    .map(id -> id.substring(prefix.length()));
        } catch (ExecutionException e) {
            if (e.getCause() instanceof UnsupportedVersionException) {
                return Stream.empty();
            }
            throw e;
        }
    }

    private static String prefix(StormproofConfig config) {
        return "stormproof-" + config.groupId() + "-";
    }

    private static String notaryPrefix(StormproofConfig config) {
        return prefix(config) + "notary-";
    }
}

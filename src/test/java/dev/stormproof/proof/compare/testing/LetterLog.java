package dev.stormproof.proof.compare.testing;

import dev.stormproof.proof.compare.RecordLog;
import dev.stormproof.proof.tree.Hash;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A log in memory, a letter for a record: blanks are offsets without a record, asterisks records that are too large, what stands
 * before a bar has expired, and what stands behind a slash is kept back by an open transaction.
 */
public final class LetterLog implements RecordLog {
    private final List<Entry> entries = new ArrayList<>();
    private final long begin;
    private final long end;
    private final long writtenEnd;
    private LeftOut leftOut = LeftOut.NONE;
    private int next;

    public LetterLog(List<String> records, long begin) {
        this(records, begin, records.size());
    }

    private LetterLog(List<String> records, long begin, int end) {
        for (int offset = 0; offset < end; offset++) {
            if (offset >= begin && records.get(offset).equals("*")) {
                leftOut = leftOut.and(offset, offset + 1, 1, "an asterisk");
            } else if (offset >= begin && !records.get(offset).isBlank()) {
                Hash content = Hash.copyOf(records.get(offset).getBytes(StandardCharsets.UTF_8));
                entries.add(new Entry(offset, content));
            }
        }
        this.begin = begin;
        this.end = end;
        this.writtenEnd = records.size();
    }

    public static LetterLog of(String drawing) {
        int bar = Math.max(0, drawing.indexOf('|'));
        String offsets = drawing.replace("|", "");
        List<String> records =
                offsets.replace("/", "").chars().mapToObj(Character::toString).toList();
        return new LetterLog(records, bar, offsets.contains("/") ? offsets.indexOf('/') : records.size());
    }

    @Override
    public long beginOffset() {
        return begin;
    }

    @Override
    public long endOffset() {
        return end;
    }

    @Override
    public long writtenEnd() {
        return writtenEnd;
    }

    @Override
    public LeftOut leftOut() {
        return leftOut;
    }

    @Override
    public @Nullable Entry next() {
        return next == entries.size() ? null : entries.get(next++);
    }

    @Override
    public void seek(long offset) {
        next = (int) entries.stream().filter(entry -> entry.offset() < offset).count();
    }
}

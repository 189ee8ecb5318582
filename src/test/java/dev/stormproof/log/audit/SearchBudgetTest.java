package dev.stormproof.log.audit;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SearchBudgetTest {
    private final SearchBudget budget = SearchBudget.ofPartition();

    private static final long REFILL_OF_A_SECOND = SearchBudget.MAX_RECORDS * 1_000 / SearchBudget.MAX_REFILL_MILLIS;

    private long recordsLeft() {
        long taken = 0;
        for (; !budget.isSpent(); taken++) {
            budget.take(1, 0);
        }
        return taken;
    }

    @Test
    void itIsSpentOnceItsRecordsWereRead() {
        budget.take(SearchBudget.MAX_RECORDS - 1, 0);
        assertThat(budget.isSpent()).isFalse();
        budget.take(1, 0);
        assertThat(budget.isSpent()).isTrue();
    }

    @Test
    void itIsSpentOnceItsBytesWereRead() {
        budget.take(0, SearchBudget.MAX_BYTES - 1);
        assertThat(budget.isSpent()).isFalse();
        budget.take(0, 1);
        assertThat(budget.isSpent()).isTrue();
    }

    @Test
    void timeRefillsItUpToWhatItHolds() {
        budget.refill(7_000);
        assertThat(recordsLeft()).isEqualTo(SearchBudget.MAX_RECORDS);
        budget.refill(7_000);
        assertThat(budget.isSpent()).isTrue();
        budget.refill(8_000);
        assertThat(recordsLeft()).isEqualTo(REFILL_OF_A_SECOND);
        budget.refill(8_000 + SearchBudget.MAX_REFILL_MILLIS);
        assertThat(recordsLeft()).isEqualTo(SearchBudget.MAX_RECORDS);
        budget.refill(Long.MAX_VALUE);
        assertThat(recordsLeft()).isEqualTo(SearchBudget.MAX_RECORDS);
    }

    @Test
    void aClockThatGoesBackAddsNothing() {
        budget.refill(100_000);
        budget.take(SearchBudget.MAX_RECORDS, 0);
        budget.refill(0);
        assertThat(budget.isSpent()).isTrue();
    }

    @Test
    void whatIsOwedIsPaidFirst() {
        budget.refill(0);
        budget.take(SearchBudget.MAX_RECORDS + 2 * REFILL_OF_A_SECOND, 0);
        budget.refill(2_000);
        assertThat(budget.isSpent()).isTrue();
        budget.refill(3_000);
        assertThat(recordsLeft()).isEqualTo(REFILL_OF_A_SECOND);
    }

    @Test
    void eachIntervalAddsALittleUpToWhatItHolds() {
        budget.admit();
        assertThat(recordsLeft()).isEqualTo(SearchBudget.MAX_RECORDS);
        budget.admit();
        assertThat(recordsLeft()).isEqualTo(SearchBudget.MAX_RECORDS_OF_ONE);
    }

    @Test
    void withoutABoundItIsNeverSpent() {
        SearchBudget unlimited = SearchBudget.unlimited();
        unlimited.take(Long.MAX_VALUE, Long.MAX_VALUE);
        assertThat(unlimited.isSpent()).isFalse();
    }
}

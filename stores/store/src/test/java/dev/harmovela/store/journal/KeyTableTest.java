package dev.harmovela.store.journal;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class KeyTableTest {

    @Test
    void findsWhatAListOfPairsWouldFind() {
        SplittableRandom random = new SplittableRandom(4);
        KeyTable table = new KeyTable();
        List<long[]> pairs = new ArrayList<>();
        for (int lsn = 1; lsn <= 5_000; lsn++) {
            long key = KeyTable.mix(random.nextInt(900));
            table.add(key, lsn);
            pairs.add(new long[] {key, lsn});
        }
        assertThat(table.size()).isEqualTo(5_000);
        for (int i = 0; i < 1_000; i++) {
            long key = KeyTable.mix(i);
            long from = random.nextInt(6_000);
            assertThat(table.find(key, from))
                    .isEqualTo(pairs.stream()
                            .filter(pair -> pair[0] == key && pair[1] >= from)
                            .mapToLong(pair -> pair[1])
                            .toArray());
        }
        pairs.sort(
                Comparator.comparing((long[] pair) -> pair[0] + Long.MIN_VALUE).thenComparing(pair -> pair[1]));
        assertThat(table.sortedPairs())
                .isEqualTo(pairs.stream().flatMapToLong(Arrays::stream).toArray());
    }

    @Test
    void thePairJustAddedIsNotAddedTwice() {
        KeyTable table = new KeyTable();
        table.add(1, 5);
        table.add(1, 5);
        table.add(2, 5);
        table.add(1, 6);
        assertThat(table.size()).isEqualTo(3);
        assertThat(table.find(1, 0)).containsExactly(5, 6);
        assertThat(table.find(1, 6)).containsExactly(6);
        assertThat(table.find(3, 0)).isEmpty();
        assertThat(new KeyTable().sortedPairs()).isEmpty();
    }
}

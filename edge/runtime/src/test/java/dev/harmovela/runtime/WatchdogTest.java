package dev.harmovela.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import dev.harmovela.harness.HubConfig;
import dev.harmovela.harness.HubHealth;
import dev.harmovela.store.journal.JournalOptions;
import dev.harmovela.store.journal.JournalThreads;
import dev.harmovela.store.journal.SegmentJournal;
import dev.harmovela.testkit.disk.SimDisk;
import dev.harmovela.testkit.hub.TestHub;
import dev.harmovela.testkit.hub.TestWire;
import java.util.ArrayDeque;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A part that stands still is named, with the time since when (OBS-01). */
class WatchdogTest {

    private final Writer writer = new Writer();
    private final TestHub hub = TestHub.on(
            HubConfig.defaults(List.of("websocket")),
            (keys, listener) -> SegmentJournal.open(
                    new SimDisk(1), JournalOptions.DEFAULT.withSegmentBytes(1 << 20), writer, keys, listener),
            TestHub.START);
    private final ArrayDeque<Runnable> owner = new ArrayDeque<>();
    private long wall = TestHub.START;
    private long nanos;
    private int ticks;
    private final Watchdog watchdog = new Watchdog(
            owner::add,
            () -> {
                ticks++;
                hub.hub().tick();
            },
            hub.hub().health(),
            () -> wall,
            () -> nanos);

    /** A disk whose forces end when the test says so. */
    private static final class Writer implements JournalThreads {
        private final ArrayDeque<Runnable> held = new ArrayDeque<>();
        private boolean holding;

        void hold(boolean now) {
            holding = now;
            while (!holding && !held.isEmpty()) {
                held.poll().run();
            }
        }

        @Override
        public Executor writer() {
            return task -> {
                held.add(task);
                hold(holding);
            };
        }

        @Override
        public Executor background() {
            return Runnable::run;
        }

        @Override
        public Executor indexer() {
            return Runnable::run;
        }

        @Override
        public void after(long millis, Runnable task) {
            // nothing here waits for time
        }

        @Override
        public void close() {
            held.clear();
        }
    }

    @AfterEach
    void close() {
        writer.hold(false);
        hub.close();
    }

    private void pass(long millis) {
        wall += millis;
        nanos += TimeUnit.MILLISECONDS.toNanos(millis);
    }

    private void ownerWorks() {
        while (!owner.isEmpty()) {
            owner.poll().run();
        }
    }

    /** Looks every half second for a while. */
    private List<HubHealth.Part> lookFor(long millis) {
        List<HubHealth.Part> stuck = watchdog.look();
        for (long passed = 0; passed < millis; passed += 500) {
            pass(500);
            stuck = watchdog.look();
        }
        return stuck;
    }

    private static List<String> names(List<HubHealth.Part> parts) {
        return parts.stream().map(HubHealth.Part::part).toList();
    }

    @Test
    void obs_01_an_owner_that_does_not_come_to_its_work_is_named_within_ten_seconds() {
        watchdog.look();
        ownerWorks();
        assertThat(names(lookFor(7_500))).doesNotContain(Watchdog.DISPATCHER);
        List<HubHealth.Part> stuck = lookFor(1_000);
        assertThat(names(stuck)).contains(Watchdog.DISPATCHER);
        assertThat(stuck.get(0).since()).isEqualTo(TestHub.START + 500);
        ownerWorks();
        assertThat(names(watchdog.look())).doesNotContain(Watchdog.DISPATCHER);
    }

    @Test
    void obs_01_an_owner_that_works_is_never_named() {
        for (int i = 0; i < 100; i++) {
            pass(500);
            assertThat(names(watchdog.look())).doesNotContain(Watchdog.DISPATCHER);
            ownerWorks();
        }
    }

    @Test
    void obs_01_a_force_that_does_not_end_is_named_until_it_ends() {
        writer.hold(true);
        TestWire wire = hub.wire();
        wire.raw("{\"type\":\"session.open\",\"source\":\"agent:a\",\"capabilities\":{}}");
        assertThat(wire.received()).isEmpty();
        assertThat(hub.hub().health().forceWaitingSince()).isEqualTo(TestHub.START);
        List<HubHealth.Part> stuck = lookFor(8_500);
        assertThat(names(stuck)).contains(Watchdog.JOURNAL);
        writer.hold(false);
        hub.drain();
        assertThat(wire.received("session.opened")).hasSize(1);
        assertThat(names(watchdog.look())).doesNotContain(Watchdog.JOURNAL);
    }

    @Test
    void obs_01_deadlines_that_are_late_are_rung_for_and_named_when_that_does_not_help() {
        assertThat(hub.hub().health().tickDue()).isNotEqualTo(Long.MAX_VALUE);
        long due = hub.hub().health().tickDue() - wall;
        pass(due + 2_000);
        assertThat(names(watchdog.look())).isEmpty();
        assertThat(owner).hasSize(1);
        assertThat(names(lookFor(8_500))).contains(Watchdog.TIMERS);
        hub.advance(wall - hub.now());
        ownerWorks();
        assertThat(ticks).isOne();
        assertThat(names(watchdog.look())).isEmpty();
    }

    @Test
    void obs_01_a_clock_that_is_set_forward_alarms_nobody() {
        watchdog.look();
        ownerWorks();
        wall += TimeUnit.HOURS.toMillis(3);
        assertThat(names(watchdog.look())).isEmpty();
        assertThat(owner).hasSize(1);
    }

    @Test
    void obs_01_a_problem_keeps_the_time_it_began_and_goes_when_it_is_solved() {
        hub.hub().drain();
        HubHealth.Part first = hub.hub().health().problems().get(0);
        assertThat(first.part()).isEqualTo("hub");
        assertThat(first.since()).isEqualTo(TestHub.START);
        hub.advance(5_000);
        hub.hub().drain();
        assertThat(hub.hub().health().problems().get(0).since()).isEqualTo(TestHub.START);
        assertThat(hub.hub().health().isReady()).isFalse();
        assertThat(hub.hub().health().isLive()).isTrue();
    }
}

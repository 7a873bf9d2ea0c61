package dev.harmovela.testkit.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.harmovela.contract.json.Json;
import dev.harmovela.harness.HubHealth;
import dev.harmovela.spi.Answer;
import dev.harmovela.spi.Ask;
import dev.harmovela.store.journal.JournalOptions;
import dev.harmovela.store.journal.SegmentJournal;
import dev.harmovela.testkit.disk.InlineThreads;
import dev.harmovela.testkit.disk.SimDisk;
import dev.harmovela.testkit.hub.TestHub;
import dev.harmovela.testkit.hub.TestWire;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A hub on a disk that fails to force, fills up, or lost its process (STO-02, STO-03, DEL-10). */
@Tag("faults")
class DiskFaultsTest {

    private static final int SEGMENT = 64 << 10;

    private InlineThreads threads = new InlineThreads();

    private TestHub start(SimDisk disk, long now) {
        threads = new InlineThreads();
        JournalOptions options = JournalOptions.DEFAULT.withSegmentBytes(SEGMENT);
        return TestHub.on(
                Wires.config(1 << 20),
                (keys, listener) -> SegmentJournal.open(disk, options, threads, keys, listener),
                now);
    }

    private static String update(String id) {
        return "\"type\":\"context.updated\",\"id\":\"" + id + "\",\"payload\":{\"n\":1,\"text\":\"" + "x".repeat(1000)
                + "\"}";
    }

    @Test
    void sto_02_after_a_failed_force_the_hub_is_over_and_acknowledges_nothing_more() {
        SimDisk disk = new SimDisk(3);
        TestHub hub = start(disk, TestHub.START);
        TestWire publisher = hub.session("agent:a");
        TestWire consumer = hub.session("agent:c");
        consumer.subscribe("{\"types\":[\"context.*\"]}");
        publisher.send(update("kept"));
        assertThat(publisher.refusal("kept")).isNull();
        List<Throwable> fatal = new ArrayList<>();
        hub.hub().health().onFatal(fatal::add);
        publisher.clear();
        consumer.clear();
        disk.failForce(1);
        publisher.send(update("lost"));
        publisher.send(update("after"));
        hub.advance(1000);
        assertThat(fatal).hasSize(1);
        assertThat(hub.hub().health().isLive()).isFalse();
        assertThat(publisher.received("event.acknowledged")).isEmpty();
        assertThat(consumer.deliveries()).isEmpty();

        TestHub next = start(disk.crash(), hub.now());
        TestWire again = next.session("agent:a");
        again.send(update("kept"));
        assertThat(again.answerTo("kept").object("payload").bool("duplicate")).isTrue();
    }

    @Test
    void sto_03_a_full_disk_refuses_publishes_takes_acks_and_recovers_by_itself() {
        SimDisk disk = new SimDisk(5);
        TestHub hub = start(disk, TestHub.START);
        TestWire publisher = hub.session("agent:a");
        TestWire consumer = hub.session("agent:c");
        String sub = consumer.subscribe("{\"types\":[\"context.*\"]}");
        disk.capacity(disk.used());
        int accepted = 0;
        String refused = "";
        for (int i = 0; i < 300 && refused.isEmpty(); i++) {
            String id = publisher.send(update("u" + i));
            if (publisher.refusal(id) == null) {
                accepted++;
            } else {
                refused = id;
            }
        }
        assertThat(accepted).isPositive();
        assertThat(publisher.refusal(refused)).isEqualTo("internal_error");
        assertThat(publisher.answerTo(refused).object("payload").object("error").bool("retryable"))
                .isTrue();
        assertThat(hub.hub().health().isReady()).isFalse();
        assertThat(hub.hub().health().isLive()).isTrue();
        assertThat(hub.hub().health().problems())
                .extracting(HubHealth.Part::part)
                .contains("disk");
        assertThat(Wires.take(consumer).stream().peek(consumer::ack)).hasSize(accepted);
        hub.advance(100);
        assertThat(hub.ask("subscription", sub).object("deliveries").integer("acknowledged"))
                .isEqualTo(accepted);
        disk.capacity(Long.MAX_VALUE);
        threads.passTime();
        hub.advance(1000);
        assertThat(hub.hub().health().isReady()).isTrue();
        publisher.clear();
        publisher.send(update(refused));
        assertThat(publisher.refusal(refused)).isNull();
        assertThat(consumer.deliveries()).hasSize(1);

        TestHub next = start(disk.crash(), hub.now());
        assertThat(next.ask("subscription", sub).object("deliveries").integer("acknowledged"))
                .isEqualTo(accepted);
    }

    @Test
    void tsk_11_a_task_that_cannot_be_stored_is_refused_and_does_not_exist() {
        SimDisk disk = new SimDisk(6);
        TestHub hub = start(disk, TestHub.START);
        TestWire planner = hub.session("agent:a");
        disk.capacity(disk.used());
        String filler = ",\"payload\":{\"task_id\":\"%s\",\"description\":\"" + "x".repeat(1000) + "\"}";
        String refused = "";
        for (int i = 0; i < 300 && refused.isEmpty(); i++) {
            String task = "t" + i;
            String id =
                    planner.send("\"type\":\"task.submitted\",\"task_id\":\"" + task + "\"" + filler.formatted(task));
            refused = planner.refusal(id) == null ? "" : task;
            if (!refused.isEmpty()) {
                Json.Obj error = planner.answerTo(id).object("payload").object("error");
                assertThat(error.string("code")).isEqualTo("internal_error");
                assertThat(error.bool("retryable")).isTrue();
            }
        }
        assertThat(refused).isNotEmpty();
        assertThat(knows(hub, refused)).isFalse();
        assertThat(knows(start(disk.crash(), hub.now()), refused)).isFalse();
    }

    @Test
    void tsk_11_a_task_whose_force_failed_exists_for_nobody() {
        SimDisk disk = new SimDisk(8);
        TestHub hub = start(disk, TestHub.START);
        TestWire worker = hub.session("agent:b");
        worker.subscribe("{\"types\":[\"task.submitted\"]}");
        TestWire planner = hub.session("agent:a");
        planner.clear();
        disk.failForce(1);
        planner.send("\"type\":\"task.submitted\",\"task_id\":\"t1\"");
        assertThat(planner.received("event.acknowledged")).isEmpty();
        assertThat(worker.deliveries()).isEmpty();
    }

    private static boolean knows(TestHub hub, String task) {
        return hub.answer(new Ask("task", task, Json.Obj.of(), 1, null)) instanceof Answer.Found;
    }

    @Test
    void del_10_the_same_publish_across_a_power_cut_is_one_event_and_another_body_a_conflict() {
        SimDisk disk = new SimDisk(11);
        TestHub hub = start(disk, TestHub.START);
        TestWire consumer = hub.session("agent:c");
        consumer.subscribe("{\"types\":[\"task.submitted\"]}");
        TestWire planner = hub.session("agent:a");
        String submit =
                "\"id\":\"evt_same\",\"type\":\"task.submitted\",\"task_id\":\"t1\",\"payload\":{\"task_id\":\"t1\"}";
        planner.send(submit);
        assertThat(consumer.deliveries()).hasSize(1);

        TestHub next = start(disk.crash(), hub.now() + 1000);
        TestWire again = next.session("agent:a");
        again.send(submit);
        Json.Obj answer = again.answerTo("evt_same");
        assertThat(answer.string("type")).isEqualTo("event.acknowledged");
        assertThat(answer.object("payload").bool("duplicate")).isTrue();
        again.clear();
        again.send(submit.replace("t1", "t2"));
        assertThat(again.refusal("evt_same")).isEqualTo("conflict");
        TestWire resumed = Wires.resume(next, "agent:c", consumer.sessionId());
        assertThat(resumed.deliveries()).hasSize(1);
        resumed.ack(resumed.deliveries().get(0));
        assertThat(next.ask("tasks", null).array("items").items()).hasSize(1);
        TestWire reader = next.session("agent:r");
        reader.subscribe("{\"types\":[\"task.submitted\"],\"from_cursor\":\"earliest\"}");
        assertThat(reader.deliveries()).hasSize(1);
    }
}

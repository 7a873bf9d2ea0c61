package dev.harmovela.runtime.cases;

import static org.assertj.core.api.Assertions.assertThat;

import dev.harmovela.client.HttpApi;
import dev.harmovela.contract.json.Json;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** DEL-13, DEL-14: dead letters over the HTTP API of a running hub (D34). */
class DeadLettersOverHttpTest {

    private Running hub;
    private Agent consumer;

    @BeforeEach
    void start() throws Exception {
        hub = Running.inMemory();
        consumer = hub.agent("agent:c");
        consumer.subscribe("{\"types\":[\"task.submitted\",\"context.*\"]}");
    }

    @AfterEach
    void stop() {
        consumer.close();
        hub.close();
    }

    private String letter(String type, String members, String code) throws Exception {
        String id = hub.publish(type, members);
        consumer.nack(consumer.await(one -> id.equals(one.string("id")) && one.has("delivery")), code);
        consumer.fence();
        return id;
    }

    @Test
    void del13ReplayMovesTheLetterAndMarksTheDelivery() throws Exception {
        String id = letter("task.submitted", "\"task_id\":\"t1\"", "not_supported");
        HttpApi.Reply dry = hub.post(
                "dlq/replay", "{\"filter\":{\"types\":[\"task.*\"]},\"limit\":100,\"rate_per_s\":10,\"dry_run\":true}");
        assertThat(dry.status()).isEqualTo(200);
        assertThat(dry.object().integer("matched")).isEqualTo(1);
        assertThat(dry.object().integer("replayed")).isZero();
        assertThat(hub.list("dlq")).hasSize(1);

        HttpApi.Reply replay = hub.post("dlq/replay", "{\"event_ids\":[\"" + id + "\"]}");
        assertThat(replay.status()).isEqualTo(202);
        assertThat(replay.object().integer("replayed")).isEqualTo(1);
        Json.Obj again = consumer.await(one -> id.equals(one.string("id")));
        assertThat(again.object("delivery").integer("attempt")).isEqualTo(1);
        assertThat(again.object("delivery").string("replayed_from")).isNotNull();
        consumer.ack(again);
        consumer.fence();
        assertThat(hub.list("dlq")).isEmpty();
        Json.Obj counts = hub.get("stats").object().object("deliveries");
        assertThat(counts.integer("pending")).isZero();
    }

    @Test
    void del13AParkedLetterIsAConflict() throws Exception {
        String id = letter("context.updated", "", "not_supported");
        for (int i = 0; i < 5; i++) {
            assertThat(hub.post("dlq/replay", "{\"event_ids\":[\"" + id + "\"]}")
                            .status())
                    .isEqualTo(202);
            consumer.nack(consumer.await(one -> id.equals(one.string("id"))), "not_supported");
            consumer.fence();
        }
        HttpApi.Reply parked = hub.post("dlq/replay", "{\"event_ids\":[\"" + id + "\"]}");
        assertThat(parked.status()).isEqualTo(409);
        assertThat(parked.body().toString()).contains("\"accepted\":false", "parked");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "[]",
                "{",
                "{}",
                "{\"event_ids\":[\"a\"],\"filter\":{}}",
                "{\"filter\":{\"typ\":\"x\"}}",
                "{\"filter\":{},\"limit\":-1}"
            })
    void del13WhatCannotBeMeantIsRefused(String body) throws Exception {
        assertThat(hub.post("dlq/replay", body).status()).isEqualTo(400);
    }

    @ParameterizedTest
    @CsvSource({"POST, dlq, 405", "POST, dlq/e1, 405", "GET, dlq/replay, 405", "DELETE, dlq/replay, 405"})
    void theWrongVerbIsToldSo(String verb, String path, int status) throws Exception {
        HttpApi.Reply reply = switch (verb) {
            case "POST" -> hub.post(path, "{}");
            case "DELETE" -> hub.delete(path);
            default -> hub.get(path);
        };
        assertThat(reply.status()).isEqualTo(status);
    }

    @Test
    void whatIsNotThereIsNotFound() throws Exception {
        assertThat(hub.get("dlq/none").status()).isEqualTo(404);
        assertThat(hub.delete("dlq/none").status()).isEqualTo(404);
        assertThat(hub.post("dlq/replay", "{\"event_ids\":[\"none\"]}").status())
                .isEqualTo(404);
    }

    /** Also the letter at which a page ended may go before the next page is asked for. */
    @Test
    void del14ALetterThatGoesBetweenTwoPagesSkipsNothing() throws Exception {
        for (int i = 0; i < 6; i++) {
            letter("context.updated", "\"payload\":{\"n\":" + i + "}", "not_supported");
        }
        List<String> all = hub.list("dlq").stream().map(one -> one.string("id")).toList();
        Json.Obj page = hub.get("dlq?limit=2").object();
        assertThat(hub.delete("dlq/" + all.get(0)).status()).isEqualTo(200);
        assertThat(hub.delete("dlq/" + all.get(1)).status()).isEqualTo(200);
        Json.Obj next =
                hub.get("dlq?limit=2&cursor=" + page.string("next_cursor")).object();
        assertThat(next.array("items").items())
                .extracting(one -> ((Json.Obj) one).string("id"))
                .containsExactly(all.get(2), all.get(3));
    }

    @Test
    void del14LookingIsPagedFilteredAndChangesNothing() throws Exception {
        for (int i = 0; i < 12; i++) {
            letter("context.updated", "\"payload\":{\"n\":" + i + "}", "not_supported");
        }
        String task = letter(
                "task.submitted",
                "\"task_id\":\"t1\",\"authorization\":{\"scheme\":\"x\",\"token\":\"geheim\"}",
                "invalid_payload");
        Json.Obj before = hub.get("stats").object().object("deliveries");

        Json.Obj page = hub.get("dlq?limit=10").object();
        List<Json> first = page.array("items").items();
        Json.Obj rest =
                hub.get("dlq?limit=10&cursor=" + page.string("next_cursor")).object();
        assertThat(first).hasSize(10);
        assertThat(rest.array("items").items()).hasSize(3).doesNotContainAnyElementsOf(first);
        assertThat(rest.string("next_cursor")).isNull();
        assertThat(hub.get("dlq?cursor=nonsense").status()).isEqualTo(400);

        assertThat(hub.list("dlq?type=context.*")).hasSize(12);
        assertThat(hub.list("dlq?task_id=t1&code=invalid_payload")).hasSize(1);
        assertThat(hub.list("dlq?code=not_supported&type=task.*")).isEmpty();
        assertThat(hub.list("dlq?from=2000-01-01T00:00:00Z")).hasSize(13);
        assertThat(hub.list("dlq?to=2000-01-01T00:00:00Z")).isEmpty();
        assertThat(hub.get("dlq?typ=task.*").status()).isEqualTo(400);
        assertThat(hub.get("dlq?from=now").status()).isEqualTo(400);

        for (String id :
                new String[] {task, "t1", hub.list("dlq?task_id=t1").getFirst().string("id")}) {
            Json.Obj letter = hub.get("dlq/" + id).object();
            assertThat(letter.object("original_event").string("id")).isEqualTo(task);
            assertThat(letter.object("last_error").string("code")).isEqualTo("invalid_payload");
            assertThat(letter.array("history").items()).hasSize(1);
            assertThat(letter.toString()).doesNotContain("geheim");
        }
        assertThat(hub.get("stats").object().object("deliveries")).isEqualTo(before);

        assertThat(hub.delete("dlq/" + task).object().integer("discarded")).isEqualTo(1);
        assertThat(hub.list("dlq")).hasSize(12);
    }
}

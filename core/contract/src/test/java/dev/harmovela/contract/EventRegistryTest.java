package dev.harmovela.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class EventRegistryTest {

    private static final EventRegistry STANDARD = EventRegistry.standard();

    @Test
    void everyTypeIsFoundByNameByBytesAndByIndex() {
        assertThat(STANDARD.size()).isEqualTo(118);
        for (EventType type : STANDARD.types()) {
            byte[] framed = ("\"" + type.name() + "\"").getBytes(StandardCharsets.US_ASCII);
            assertThat(STANDARD.find(type.name())).isSameAs(type);
            assertThat(STANDARD.require(type.name())).isSameAs(type);
            assertThat(STANDARD.at(type.index())).isSameAs(type);
            assertThat(STANDARD.find(framed, 1, framed.length - 1)).isSameAs(type);
            assertThat(STANDARD.find(framed, 1, framed.length - 2)).isNull();
            assertThat(type.name()).isEqualTo(type.family() + "." + type.action());
            assertThat(EventRegistry.wellFormed(type.name())).isTrue();
            assertThat(type.custom()).isFalse();
        }
        assertThat(STANDARD.find("task.unknown")).isNull();
        assertThatThrownBy(() -> STANDARD.require("task.unknown")).isInstanceOf(IllegalArgumentException.class);
    }

    @ParameterizedTest
    @CsvSource({
        "session.open,session,EVENT",
        "event.delivered,event,RECOVERY",
        "tool.call.cancel.requested,tool.call,TOOL",
        "task.cancel.requested,task,TASK",
        "memory.fact.added,memory,CONTEXT",
        "freshness.window.changed,freshness,STATE",
        "adaptation.budget.limit_exceeded,adaptation,ADAPTATION",
        "audit.recorded,audit,GOVERNANCE",
        "interruption.saved,interruption,RECOVERY"
    })
    void everyFamilyHasAnOwner(String name, String family, Dimension owner) {
        EventType type = STANDARD.require(name);
        assertThat(type.family()).isEqualTo(family);
        assertThat(type.in(family)).isTrue();
        assertThat(STANDARD.owner(type)).isEqualTo(owner);
    }

    @Test
    void d15WhatOnlyTheHubOriginatesIsMarked() {
        for (String name : List.of(
                "subscription.created",
                "command.accepted",
                "event.redelivered",
                "event.dead_lettered",
                "task.timed_out",
                "adaptation.budget.limit_approaching")) {
            assertThat(STANDARD.require(name).hubOnly()).as(name).isTrue();
        }
        for (String name : List.of(
                "session.opened",
                "event.acknowledged",
                "event.rejected",
                "task.accepted",
                "command.completed",
                "query.rejected",
                "query.response",
                "adaptation.budget.established")) {
            assertThat(STANDARD.require(name).hubOnly()).as(name).isFalse();
        }
        assertThat(STANDARD.types().stream().filter(EventType::hubOnly)).hasSize(18);
    }

    @Test
    void d2FiveTypesMakeTheHandshake() {
        assertThat(STANDARD.types().stream().filter(EventType::handshake).map(EventType::name))
                .containsExactlyInAnyOrder(
                        "session.open", "session.opened", "session.ready", "session.error", "session.closed");
    }

    @Test
    void operatorsAddTypesBehindTheStandardOnes() {
        EventRegistry wider = STANDARD.withFamilies(List.of(
                CustomFamily.of("shop", List.of("sold", "item.returned")),
                CustomFamily.of("com.example.orders", List.of("placed"))));
        assertThat(wider.size()).isEqualTo(STANDARD.size() + 3);
        assertThat(wider.require("task.submitted")).isEqualTo(STANDARD.require("task.submitted"));
        EventType returned = wider.require("shop.item.returned");
        assertThat(returned.custom()).isTrue();
        assertThat(returned.hubOnly()).isFalse();
        assertThat(returned.family()).isEqualTo("shop");
        assertThat(wider.owner(returned)).isEqualTo(Dimension.OPERATOR);
        assertThat(wider.require("com.example.orders.placed").family()).isEqualTo("com.example.orders");
    }

    @ParameterizedTest
    @ValueSource(strings = {"task", "task.extra", "tool", "tool.call", "event", "Shop", "shop..x", "1shop", ""})
    void operatorsCannotEnterTheStandardFamilies(String family) {
        assertThatThrownBy(() -> STANDARD.withFamilies(List.of(CustomFamily.of(family, List.of("done")))))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void operatorsMistakesAreNamed() {
        CustomFamily shop = CustomFamily.of("shop", List.of("sold"));
        assertThatThrownBy(() -> STANDARD.withFamilies(List.of(shop, shop))).hasMessageContaining("shop");
        assertThatThrownBy(() -> STANDARD.withFamilies(List.of(CustomFamily.of("shop", List.of("a", "a")))))
                .hasMessageContaining("shop.a");
        assertThatThrownBy(() -> STANDARD.withFamilies(List.of(CustomFamily.of("shop", List.of("So ld")))))
                .hasMessageContaining("So ld");
        assertThatThrownBy(() -> STANDARD.withFamilies(
                        List.of(new CustomFamily("shop", List.of("sold"), Map.of("bought", Events.object("{}"))))))
                .hasMessageContaining("shop.bought");
    }
}

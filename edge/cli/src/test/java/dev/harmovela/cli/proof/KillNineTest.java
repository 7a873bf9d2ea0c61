package dev.harmovela.cli.proof;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * STO-01, STO-02: what a hub acknowledged survives {@code kill -9}, in many short rounds. The long form is {@code
 * ./dev kill9}.
 */
@Tag("proc")
@Tag("faults")
class KillNineTest {

    private static final int EVENTS = Integer.getInteger("harmovela.kill9.events", 2_000);
    private static final int ROUNDS = Integer.getInteger("harmovela.kill9.rounds", 5);

    @TempDir
    private Path folder;

    @Test
    void sto02WhatWasAcknowledgedSurvives() throws Exception {
        Map<String, String> environment = Map.of("HARMOVELA_JOURNAL_SEGMENT_BYTES", "1048576");
        assertThat(KillNineProof.run(
                        new KillNineProof.Plan(QuickStart.command(folder), environment, folder, EVENTS, ROUNDS)))
                .isEmpty();
    }
}

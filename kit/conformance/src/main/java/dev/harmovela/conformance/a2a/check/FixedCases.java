package dev.harmovela.conformance.a2a.check;

import dev.harmovela.conformance.a2a.wire.WireException;
import dev.harmovela.contract.json.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Runs the eight fixed cases, in the official dialect or in that of the mesh. */
public final class FixedCases {

    private static final Set<String> BAD_STATES = Set.of("failed", "canceled", "rejected");

    private final Run run;
    private final CardFile.Found found;
    private final Speech speech;
    private final String version;
    private @Nullable String task;
    private Json.Obj seen = Json.Obj.of();

    /** How the cases are said; {@code null} results mean that the dialect has no such thing. */
    interface Speech {

        /** Task or message that the fixture is answered with. */
        Json.Obj send(Probe probe) throws WireException, Verdict;

        Json.Obj get(Probe probe, String task) throws WireException, Verdict;

        void stream(Probe probe) throws WireException, Verdict;

        void push(Probe probe) throws WireException, Verdict;

        void extendedCard(Probe probe) throws WireException, Verdict;
    }

    /**
     * @param run the run they belong to
     * @param found what came of looking for the card
     * @param version {@code 1.0} or {@code 1.2}; the legacy profile's cases are said in the mesh dialect instead
     * @param mesh whether they are
     */
    public FixedCases(Run run, CardFile.Found found, String version, boolean mesh) {
        this.run = run;
        this.found = found;
        this.version = version;
        speech = mesh ? new MeshSpeech() : new OfficialSpeech(version);
    }

    /** Runs all of them in order. */
    public List<CaseResult> all() {
        List<CaseResult> results = new ArrayList<>();
        for (FixedCase each : FixedCase.values()) {
            long start = System.nanoTime();
            seen = Json.Obj.of();
            Outcome outcome = Run.ask(probe -> ask(each, probe), probe());
            CaseResult.Status status = switch (outcome.status()) {
                case PASS -> CaseResult.Status.PASS;
                case FAIL -> CaseResult.Status.FAIL;
                case SKIP, NOT_APPLICABLE -> CaseResult.Status.SKIP;
            };
            long millis = (System.nanoTime() - start) / 1_000_000;
            results.add(new CaseResult(each, status, millis, outcome.message(), seen.isEmpty() ? null : seen));
        }
        return results;
    }

    private Probe probe() {
        List<Caller> callers = run.callers(version);
        return new Probe(run, callers.isEmpty() ? null : callers.getFirst());
    }

    private void ask(FixedCase each, Probe probe) throws WireException, Verdict {
        if (each.capability != null && !offered(each.capability)) {
            throw probe.notApplicable("the card does not advertise " + each.capability);
        }
        boolean needsCaller = each != FixedCase.AGENT_CARD && each != FixedCase.PROTOCOL_VERSION;
        if (needsCaller
                && speech instanceof OfficialSpeech
                && run.callers(version).isEmpty()) {
            throw probe.fail("the card offers no interface of version " + version + " that the kit can call");
        }
        switch (each) {
            case AGENT_CARD -> probe.require(found.file() != null, "no card: " + found.trouble());
            case PROTOCOL_VERSION -> protocolVersion(probe);
            case MESSAGE_SEND -> send(probe);
            case TASK_GET -> get(probe);
            case STREAMING -> speech.stream(probe);
            case PUSH -> speech.push(probe);
            case HISTORY -> history(probe);
            case EXTENDED_CARD -> speech.extendedCard(probe);
        }
    }

    private boolean offered(String capability) {
        return run.card.offers(capability)
                || (capability.equals("extendedAgentCard")
                        && Boolean.TRUE.equals(run.card.card().bool("supportsAuthenticatedExtendedCard")));
    }

    private void protocolVersion(Probe probe) throws Verdict {
        String declared = run.card.card().string("protocolVersion");
        boolean right = speech instanceof MeshSpeech ? declared != null || run.speaks("0.3") : run.speaks(version);
        probe.require(right, "the card has no interface of version " + version);
    }

    private void send(Probe probe) throws WireException, Verdict {
        Json.Obj answer = speech.send(probe);
        if (answer.string("id") != null && answer.object("status") != null) {
            task = answer.string("id");
            String state = state(answer);
            seen = Json.Obj.builder().put("taskId", task).put("state", state).build();
            probe.require(!state.isEmpty(), "the task has no state");
            probe.require(!BAD_STATES.contains(state), "the task ended in " + state);
            return;
        }
        seen = Json.Obj.builder().put("messageId", answer.string("messageId")).build();
        String role = String.valueOf(answer.string("role"));
        probe.require(answer.string("messageId") != null, "neither a task nor a message came");
        probe.require(answer.string("contextId") != null, "the message has no contextId");
        probe.require(role.equals("ROLE_AGENT") || role.equals("agent"), "the message is not the agent's");
        probe.require(!Probe.list(answer, "parts").isEmpty(), "the message has no parts");
    }

    private static String state(Json.Obj task) {
        String state = MeshCaller.state(task);
        return state.startsWith("task-state-")
                ? state.substring("task-state-".length())
                : state.toLowerCase(Locale.ROOT);
    }

    private void get(Probe probe) throws WireException, Verdict {
        if (task == null) {
            throw probe.notApplicable("the answer was no task");
        }
        Json.Obj found = speech.get(probe, task);
        probe.require(task.equals(found.string("id")), "another task came back");
        probe.require(Probe.list(found, "history").isEmpty(), "historyLength 0: a history came");
    }

    private void history(Probe probe) throws Verdict {
        throw probe.skip("no version of the protocol says how to read it");
    }
}

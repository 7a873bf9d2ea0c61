package dev.harmovela.conformance;

import dev.harmovela.contract.json.Json;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A target that knows the suite by heart: it recognises a fixture by its first line and answers each line as the suite
 * expects. What it says can be changed on its way out, to see the runner notice.
 */
final class ParrotHub implements Exchange {

    private final Inbox inbox = new Inbox();
    private final List<Suite.Fixture> fixtures;
    private final UnaryOperator<Json.Obj> change;
    private List<LineExpectation> expect = List.of();
    private List<Json.Obj> state = List.of();
    private Json.@Nullable Obj stats;
    private int line;
    private int made;

    ParrotHub(List<Suite.Fixture> fixtures, UnaryOperator<Json.Obj> change) {
        this.fixtures = fixtures;
        this.change = change;
    }

    static Target target(List<Suite.Fixture> fixtures, UnaryOperator<Json.Obj> change) {
        return Target.inProcess("parrot", () -> new ParrotHub(fixtures, change));
    }

    @Override
    public void send(String text) {
        SentLine sent = SentLine.of(text);
        if (sent.id() != null && sent.id().startsWith("evt_conformance_")) {
            forRunner(sent);
            return;
        }
        if (line == 0) {
            Suite.Fixture fixture = fixtures.stream()
                    .filter(one -> Suites.lines(one).getFirst().text().equals(text))
                    .findFirst()
                    .orElseThrow();
            expect = fixture.expect();
            state = fixture.state();
            stats = fixture.expectedStats();
        }
        answer(expect.get(line), sent);
        line++;
    }

    private void forRunner(SentLine sent) {
        Json.Obj event = sent.event();
        if ("capabilities.requested".equals(sent.type())) {
            Json implementation =
                    Json.Obj.builder().put("name", "parrot").put("version", "7").build();
            say(event(
                    Json.Obj.builder()
                            .put("capabilities", Json.Obj.of().with("implementation", implementation))
                            .build(),
                    "capabilities.declared",
                    sent.id()));
            return;
        }
        say(event(Json.Obj.of(), "event.acknowledged", sent.id()));
        if ("query.requested".equals(sent.type())) {
            Json.Obj payload = state.isEmpty()
                    ? Json.Obj.builder().put("data", stats).build()
                    : state.getFirst().without("scope").without("filter");
            say(event(payload, "query.response", sent.id())
                    .with("correlation_id", Json.of(event.string("correlation_id"))));
        }
    }

    private void answer(LineExpectation one, SentLine sent) {
        String cause = sent.form() == SentLine.Form.OBJECT ? sent.id() : null;
        if (one.verdict() == LineExpectation.Verdict.REJECTED) {
            String type = one.answer() == null ? "event.rejected" : one.answer();
            Json.Obj error = Json.Obj.builder()
                    .put(
                            "code",
                            one.codes().isEmpty()
                                    ? "protocol_error"
                                    : one.codes().getFirst())
                    .put("message", "as the suite wants it")
                    .put("retryable", false)
                    .put("details", one.details())
                    .build();
            say(filled(event(Json.Obj.builder().put("error", error).build(), type, cause), one.has()));
        } else if (sent.answered()) {
            String type = one.answer() == null ? "event.acknowledged" : one.answer();
            Json.Obj payload = Json.Obj.builder()
                    .put("acknowledged_event_id", type.equals("event.acknowledged") ? cause : null)
                    .put("duplicate", one.duplicate() ? Json.Bool.TRUE : null)
                    .build();
            say(filled(event(payload, type, cause), one.has()));
        }
        for (int i = 0; one.deliveries() != null && i < one.deliveries(); i++) {
            say(delivered(sent.event(), "sub-" + i));
        }
        if (one.emits() != null) {
            one.emits().forEach(emitted -> say(merged(event(Json.Obj.of(), "", sent.id()), emitted)));
        }
        one.receives()
                .forEach(wanted -> say(delivered(event(Json.Obj.of(), "context.updated", null), "sub-0"), wanted));
    }

    private static Json.Obj delivered(Json.Obj event, String subscription) {
        return event.with(
                "delivery",
                Json.Obj.builder().put("subscription_id", subscription).build());
    }

    private Json.Obj event(Json.Obj payload, String type, @Nullable String cause) {
        return Json.Obj.builder()
                .put("spec_version", "0.2")
                .put("id", "evt_parrot_" + ++made)
                .put("type", type)
                .put("source", "harness:harmovela")
                .put("created_at", "2026-03-03T00:00:00Z")
                .put("causation_id", cause)
                .put("payload", payload)
                .build();
    }

    private void say(Json.Obj event) {
        inbox.add(Incoming.event(change.apply(event).toString()));
    }

    private void say(Json.Obj event, Json.Obj wanted) {
        say(merged(event, wanted));
    }

    private static Json.Obj merged(Json.Obj into, Json.Obj from) {
        Json.Obj result = into;
        for (String name : from.names()) {
            Json value = from.raw(name);
            if (value instanceof Json.Obj inner && result.object(name) != null) {
                result = result.with(name, merged(result.object(name), inner));
            } else {
                result = value == Json.Null.NULL ? result.without(name) : result.with(name, value);
            }
        }
        return result;
    }

    private static Json.Obj filled(Json.Obj event, List<String> paths) {
        Json.Obj result = event;
        for (String path : paths) {
            result = (Json.Obj) filledAt(result, new ArrayList<>(Arrays.asList(path.split("\\."))));
        }
        return result;
    }

    private static Json filledAt(@Nullable Json value, List<String> path) {
        if (path.isEmpty()) {
            return value == null || value == Json.Null.NULL ? Json.of("something") : value;
        }
        String head = path.removeFirst();
        if (head.chars().allMatch(Character::isDigit)) {
            Json item = filledAt(null, path);
            return new Json.Arr(Collections.nCopies(Integer.parseInt(head) + 1, item));
        }
        Json.Obj object = value instanceof Json.Obj o ? o : Json.Obj.of();
        return object.with(head, filledAt(object.get(head), path));
    }

    @Override
    public @Nullable Incoming receive(long timeoutMillis) throws IOException, InterruptedException {
        return inbox.take(timeoutMillis);
    }

    @Override
    public void close() {}
}

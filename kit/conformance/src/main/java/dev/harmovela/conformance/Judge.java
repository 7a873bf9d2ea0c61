package dev.harmovela.conformance;

import dev.harmovela.contract.json.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Decides whether what a target answered to a fixture is what the fixture demands (§14). */
final class Judge {

    private static final Set<String> VALIDATION = Set.of(
            "invalid_envelope",
            "invalid_event_type",
            "unknown_event_type",
            "unsupported_version",
            "invalid_payload",
            "payload_too_large",
            "subscription_rejected");

    private final SchemaCheck schemas;

    Judge(SchemaCheck schemas) {
        this.schemas = schemas;
    }

    /** What is wrong; empty when the fixture passes. */
    List<String> problems(Suite.Fixture fixture, Conversation conversation) {
        List<SentLine> lines = conversation.lines();
        Attribution answers = conversation.attribution();
        List<String> problems = new ArrayList<>(types(fixture, lines));
        switch (fixture.expectation()) {
            case ACCEPT_ALL -> problems.addAll(accepted(lines, answers));
            case STATEFUL_FLOW, DELIVERY_E2E -> {
                problems.addAll(accepted(lines, answers));
                problems.addAll(flowing(lines, answers));
            }
            case REJECT_SOME -> {
                if (!someRejected(lines, answers)) {
                    problems.add("no line was refused");
                }
            }
        }
        for (LineExpectation expected : fixture.expect()) {
            if (expected.line() > lines.size()) {
                problems.add("line " + expected.line() + " is expected but the fixture ends before it");
            } else {
                int index = expected.line() - 1;
                problems.addAll(LineCheck.problems(expected, lines.get(index), answers.effects(index)));
                for (Json.Obj missing : conversation.missing(expected.receives())) {
                    problems.add("line " + expected.line() + " did not bring " + missing);
                }
            }
        }
        return problems.stream().distinct().toList();
    }

    /** What is wrong with the numbers a tracker gave. */
    static List<String> statistics(Json.Obj expected, Json.Obj found) {
        List<String> problems = new ArrayList<>();
        for (String name : expected.names()) {
            Json wanted = expected.get(name);
            Json actual = number(found, name);
            if (wanted != null && !Wire.matches(wanted, actual)) {
                problems.add("statistics: " + name + " is " + actual + ", not " + wanted);
            }
        }
        return problems;
    }

    private static Json number(Json.Obj found, String name) {
        for (String place :
                List.of("", "data.", "deliveries.", "data.deliveries.", "items.0.", "items.0.deliveries.")) {
            Json value = Wire.at(found, place + name);
            if (value != null) {
                return value;
            }
        }
        return Json.Null.NULL;
    }

    private static List<String> types(Suite.Fixture fixture, List<SentLine> lines) {
        List<String> expected = fixture.expectedTypes();
        List<String> types =
                lines.stream().map(line -> String.valueOf(line.type())).toList();
        return expected.isEmpty() || expected.equals(types)
                ? List.of()
                : List.of("the fixture has the types " + types + ", not " + expected);
    }

    private List<String> accepted(List<SentLine> lines, Attribution answers) {
        List<String> problems = new ArrayList<>();
        for (int i = 0; i < lines.size(); i++) {
            Optional<String> problem = schemas.problem(lines.get(i));
            if (problem.isPresent()) {
                problems.add("line " + (i + 1) + " is not valid: " + problem.get());
            }
            for (Json.Obj answer : answers.effects(i).direct()) {
                if (Wire.refusal(answer) && VALIDATION.contains(Wire.code(answer))) {
                    problems.add("line " + (i + 1) + " was refused as not valid: " + Wire.code(answer));
                }
            }
        }
        for (Json.Obj stray : answers.strays()) {
            if (Wire.refusal(stray) && VALIDATION.contains(Wire.code(stray))) {
                problems.add("something was refused as not valid: " + Wire.code(stray));
            }
        }
        return problems;
    }

    private static List<String> flowing(List<SentLine> lines, Attribution answers) {
        List<String> problems = new ArrayList<>();
        for (int i = 0; i < lines.size(); i++) {
            Attribution.Effects effects = answers.effects(i);
            for (List<Json.Obj> said : List.of(effects.direct(), effects.emitted())) {
                for (Json.Obj refusal : said.stream().filter(Wire::refusal).toList()) {
                    problems.add(
                            "line " + (i + 1) + " was answered by " + Wire.type(refusal) + " " + Wire.code(refusal));
                }
            }
        }
        answers.strays().stream()
                .filter(Wire::refusal)
                .forEach(stray ->
                        problems.add("something was answered by " + Wire.type(stray) + " " + Wire.code(stray)));
        return problems;
    }

    /** A line counts as refused by validation when its form is wrong and the target does not acknowledge it. */
    private boolean someRejected(List<SentLine> lines, Attribution answers) {
        for (int i = 0; i < lines.size(); i++) {
            List<Json.Obj> direct = answers.effects(i).direct();
            boolean refused = direct.stream()
                    .anyMatch(answer -> Wire.type(answer).endsWith(".rejected")
                            || (Wire.refusal(answer) && VALIDATION.contains(Wire.code(answer))));
            if (refused || (direct.isEmpty() && schemas.problem(lines.get(i)).isPresent())) {
                return true;
            }
        }
        return answers.strays().stream().anyMatch(stray -> Wire.type(stray).endsWith(".rejected"));
    }
}

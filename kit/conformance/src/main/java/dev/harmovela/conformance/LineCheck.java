package dev.harmovela.conformance;

import dev.harmovela.contract.json.Json;
import java.util.ArrayList;
import java.util.List;

/** Holds what one line led to against what the manifest demands of it. */
final class LineCheck {

    private final LineExpectation expected;
    private final SentLine line;
    private final Attribution.Effects effects;
    private final List<String> problems = new ArrayList<>();

    private LineCheck(LineExpectation expected, SentLine line, Attribution.Effects effects) {
        this.expected = expected;
        this.line = line;
        this.effects = effects;
    }

    /** What is wrong; empty when nothing is. */
    static List<String> problems(LineExpectation expected, SentLine line, Attribution.Effects effects) {
        LineCheck check = new LineCheck(expected, line, effects);
        check.answers();
        check.emissions();
        Long copies = expected.deliveries();
        if (copies != null && copies != effects.subscribedCopies()) {
            check.problem("came back in " + effects.subscribedCopies() + " copies, not " + copies);
        }
        return check.problems;
    }

    private void answers() {
        List<Json.Obj> direct = effects.direct();
        boolean rejected = expected.verdict() == LineExpectation.Verdict.REJECTED;
        if (direct.isEmpty()) {
            if (rejected || line.answered()) {
                problem("was not answered" + (rejected ? ", " + wanted() + " expected" : ""));
            }
            return;
        }
        if (direct.size() > 1) {
            problem("was answered " + direct.size() + " times: "
                    + String.join(", ", direct.stream().map(Wire::type).toList()));
        }
        Json.Obj answer = direct.getFirst();
        if (Wire.refusal(answer) != rejected) {
            problem(rejected ? "was taken, " + wanted() + " expected" : "was refused: " + shown(answer));
            return;
        }
        String type = expected.answer();
        if (type != null && !type.equals(Wire.type(answer))) {
            problem("was answered by " + Wire.type(answer) + ", not " + type);
        }
        if (rejected) {
            refusal(answer);
        } else {
            acknowledgement(answer);
        }
        for (String path : expected.has()) {
            if (Wire.at(answer, path) == null) {
                problem("was answered without " + path);
            }
        }
    }

    private void refusal(Json.Obj answer) {
        List<String> codes = expected.codes();
        if (!codes.isEmpty() && !codes.contains(Wire.code(answer))) {
            problem("was refused by " + shown(answer) + ", not " + String.join(" or ", codes));
        }
        Json.Obj error = Wire.error(answer);
        String message = error.string("message");
        if (error.string("code") == null || message == null || message.isBlank() || error.bool("retryable") == null) {
            problem("was refused by an error without code, message and retryable: " + error);
        }
        Json.Obj details = error.object("details");
        if (!Wire.matches(expected.details(), details == null ? Json.Obj.of() : details)) {
            problem("was refused with the details " + details + ", which lack " + expected.details());
        }
        if (Wire.at(answer, "payload.acknowledged_event_id") != null) {
            problem("was refused by what looks like a consumer's refusal (acknowledged_event_id, D16)");
        }
    }

    private void acknowledgement(Json.Obj answer) {
        if (Wire.type(answer).equals("event.acknowledged") && line.id() != null) {
            Json named = Wire.at(answer, "payload.acknowledged_event_id");
            if (!Json.of(line.id()).equals(named)) {
                problem("was acknowledged under the name " + named);
            }
        }
        if (expected.duplicate() && !Json.Bool.TRUE.equals(Wire.at(answer, "payload.duplicate"))) {
            problem("was not acknowledged as a duplicate");
        }
    }

    private void emissions() {
        List<Json.Obj> wanted = expected.emits();
        if (wanted == null) {
            return;
        }
        List<Json.Obj> emitted = effects.emitted();
        boolean same = wanted.size() == emitted.size();
        for (int i = 0; same && i < wanted.size(); i++) {
            same = Wire.matches(wanted.get(i), emitted.get(i));
        }
        if (!same) {
            problem("led to " + emitted.stream().map(Wire::type).toList() + ", not " + wanted);
        }
    }

    private String wanted() {
        List<String> codes = expected.codes();
        return codes.isEmpty() ? "a refusal" : String.join(" or ", codes);
    }

    private static String shown(Json.Obj refusal) {
        String message = Wire.error(refusal).string("message");
        return Wire.type(refusal) + " " + Wire.code(refusal) + (message == null ? "" : " (" + message + ")");
    }

    private void problem(String what) {
        problems.add("line " + expected.line() + " " + what);
    }
}

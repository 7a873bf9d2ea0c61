package dev.harmovela.cli;

import dev.harmovela.client.HubRefused;
import dev.harmovela.client.NotReachable;
import dev.harmovela.contract.ProtocolError;
import dev.harmovela.contract.json.Json;
import dev.harmovela.runtime.ConfigProblem;
import dev.harmovela.runtime.StartFailed;
import java.net.URI;
import java.security.cert.CertPathValidatorException;
import java.security.cert.CertificateException;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** A command did not do what was asked: one sentence, what to do about it, and the exit code (CLI-01). */
final class Failure extends Exception {

    private static final long serialVersionUID = 1L;

    private final String code;
    private final String sentence;
    private final @Nullable String hint;
    private final int exitCode;
    private transient @Nullable URI url;
    private transient Json.Obj details = Json.Obj.of();

    Failure(int exitCode, String code, String sentence, @Nullable String hint) {
        super(sentence);
        this.exitCode = exitCode;
        this.code = code;
        this.sentence = sentence;
        this.hint = hint;
    }

    static Failure failed(String code, String sentence, @Nullable String hint) {
        return new Failure(ExitCodes.FAILED, code, sentence, hint);
    }

    static Failure usage(String sentence, String hint) {
        return new Failure(ExitCodes.USAGE, "usage", sentence, hint);
    }

    static Failure of(NotReachable cause, URI hub) {
        Failure failure = isDistrust(cause)
                ? distrust(hub)
                : new Failure(
                        ExitCodes.NOT_REACHABLE,
                        "not_reachable",
                        "No hub answers at " + hub + ".",
                        "Start one with harmovela serve --dev, or say where it is with --url, --port or"
                                + " HARMOVELA_URL.");
        failure.url = hub;
        failure.initCause(cause);
        return failure;
    }

    /** Somebody answers, but shows a certificate that nobody here believes. */
    private static Failure distrust(URI hub) {
        return new Failure(
                ExitCodes.NOT_REACHABLE,
                "untrusted_certificate",
                "The certificate of " + hub + " is not one that is believed here.",
                "Name the authority that issued it with --ca FILE or HARMOVELA_CA, and address the hub by a name in"
                        + " its certificate.");
    }

    private static boolean isDistrust(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof CertificateException || cause instanceof CertPathValidatorException) {
                return true;
            }
        }
        return false;
    }

    static Failure of(ConfigProblem problem) {
        Failure failure = failed("config_invalid", problem.sentence(), problem.hint());
        failure.initCause(problem);
        return failure;
    }

    static Failure of(StartFailed start) {
        String code = start.reason().name().toLowerCase(Locale.ROOT);
        Failure failure = failed(code, start.sentence(), start.hint());
        failure.initCause(start);
        return failure;
    }

    static Failure of(HubRefused refused, URI hub) {
        Failure failure = of(refused.error(), hub);
        failure.initCause(refused);
        return failure;
    }

    /** What the hub did not take, in its own words. */
    static Failure of(ProtocolError error, URI hub) {
        Failure failure = failed(error.code().wire(), sentence(error), hint(error));
        failure.url = hub;
        failure.details = error.details();
        return failure;
    }

    private static String sentence(ProtocolError error) {
        String message = error.message();
        return "The hub refused: " + message + (message.endsWith(".") ? "" : ".");
    }

    private static @Nullable String hint(ProtocolError error) {
        String path = error.details().string("path");
        String expected = error.details().string("expected");
        if (path != null && expected != null) {
            return "Mend " + path + ": expected " + expected + ".";
        }
        return error.retryable() ? "Trying again may help." : null;
    }

    Failure at(URI address) {
        url = address;
        return this;
    }

    Failure with(Json.Obj more) {
        details = more;
        return this;
    }

    int exitCode() {
        return exitCode;
    }

    /** For people: a line, and a second one that says what to do. */
    String text() {
        return hint == null ? sentence : sentence + "\n" + hint;
    }

    /** For machines: {@code {code, message, hint?, url?, details?}}. */
    Json.Obj toJson() {
        return Json.Obj.builder()
                .put("code", code)
                .put("message", sentence)
                .put("hint", hint)
                .put("url", url == null ? null : url.toString())
                .put("details", details.isEmpty() ? null : details)
                .build();
    }
}

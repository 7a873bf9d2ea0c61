package dev.harmovela.cli;

import dev.harmovela.client.HarmovelaClient;
import dev.harmovela.client.HubRefused;
import dev.harmovela.contract.ErrorCode;
import dev.harmovela.contract.ProtocolError;
import dev.harmovela.contract.json.Json;
import dev.harmovela.contract.json.JsonException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** Publishes whole events from standard input, many in flight; each line that is refused is named. */
final class EmitLines {

    private static final int ERRORS_KEPT = 100;

    private final HarmovelaClient client;
    private final Console console;
    private final URI hub;
    private final AtomicLong stored = new AtomicLong();
    private final AtomicLong duplicates = new AtomicLong();
    private final AtomicLong refused = new AtomicLong();
    private final List<Json> errors = new ArrayList<>();

    EmitLines(HarmovelaClient client, Console console, URI hub) {
        this.client = client;
        this.console = console;
        this.hub = hub;
    }

    int run(InputStream input) throws IOException, Failure {
        CompletableFuture<?> last = CompletableFuture.completedFuture(null);
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(input, StandardCharsets.UTF_8))) {
            long number = 0;
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                number++;
                if (!line.isBlank()) {
                    CompletableFuture<?> before = last;
                    last = send(number, line).thenCombine(before, (answer, other) -> answer);
                }
            }
        }
        try {
            last.join();
        } catch (CompletionException broken) {
            throw Failure.failed(
                            "aborted", "The connection to the hub ended for good: " + broken.getCause() + ".", null)
                    .at(hub);
        }
        return report();
    }

    private CompletableFuture<Json.@Nullable Obj> send(long number, String line) {
        Json.Obj event;
        try {
            if (!(Json.parse(line) instanceof Json.Obj object)) {
                refused(number, null, notAnEvent("an event is a JSON object"));
                return CompletableFuture.completedFuture(null);
            }
            event = object;
        } catch (JsonException broken) {
            refused(number, null, notAnEvent(String.valueOf(broken.getMessage())));
            return CompletableFuture.completedFuture(null);
        }
        return client.send(event).handle((answer, failure) -> {
            Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
            if (cause instanceof HubRefused no) {
                refused(number, event.string("id"), no.error().toJson());
            } else if (cause != null) {
                throw new CompletionException(cause);
            } else {
                Json.Obj payload = answer.object("payload");
                boolean again = payload != null && Boolean.TRUE.equals(payload.bool("duplicate"));
                (again ? duplicates : stored).incrementAndGet();
            }
            return answer;
        });
    }

    private static Json.Obj notAnEvent(String message) {
        return ProtocolError.of(ErrorCode.INVALID_ENVELOPE, message).toJson();
    }

    private synchronized void refused(long number, @Nullable String id, Json.Obj error) {
        refused.incrementAndGet();
        console.note("line " + number + ": " + error.string("code") + ": " + error.string("message"));
        if (errors.size() < ERRORS_KEPT) {
            errors.add(Json.Obj.builder()
                    .put("line", number)
                    .put("id", id)
                    .put("error", error)
                    .build());
        }
    }

    private int report() throws Failure {
        Json.Obj counts = Json.Obj.builder()
                .put("stored", stored.get())
                .put("duplicates", duplicates.get())
                .put("refused", refused.get())
                .put("errors", new Json.Arr(errors))
                .build();
        String text = stored + " stored, " + duplicates + " were there already, " + refused + " refused";
        if (refused.get() > 0) {
            throw Failure.failed("lines_refused", text + ".", "Each refused line is named above with its reason.")
                    .with(counts);
        }
        console.result(counts, text);
        return ExitCodes.OK;
    }
}

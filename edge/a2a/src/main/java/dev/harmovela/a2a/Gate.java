package dev.harmovela.a2a;

import dev.harmovela.contract.json.Json;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** What a request says beside its operation: version, extensions, tenant. */
final class Gate {

    private static final Pattern VERSION = Pattern.compile("(\\d{1,3}\\.\\d{1,3})(?:\\.\\d{1,6})?");

    private Gate() {}

    /** The version asked for without its patch digits; {@code 0.3} when none is, the text as it is when it is none. */
    static String version(A2aRequest request) {
        String given = request.header("A2A-Version");
        if (given == null || given.isBlank()) {
            List<String> values = request.query().get("A2A-Version");
            given = values == null || values.isEmpty() ? null : values.getFirst();
        }
        if (given == null || given.isBlank()) {
            return "0.3";
        }
        Matcher matcher = VERSION.matcher(given.strip());
        return matcher.matches() ? matcher.group(1) : given;
    }

    static void requireVersion(A2aRequest request, String served) throws Refusal {
        if (!version(request).equals(served)) {
            throw Refusal.of(A2aError.VERSION_NOT_SUPPORTED, "this interface speaks A2A " + served)
                    .with("supportedVersions", served);
        }
    }

    /** Every required extension has to be named; what is known of the named ones is said back. */
    static void requireExtensions(A2aRequest request, Cards.Known known) throws Refusal {
        String header = request.header("A2A-Extensions");
        List<String> named = header == null
                ? List.of()
                : Arrays.stream(header.split(",")).map(String::strip).toList();
        for (String required : known.requiredExtensions()) {
            if (!named.contains(required)) {
                throw Refusal.of(A2aError.EXTENSION_SUPPORT_REQUIRED, "the agent requires an extension")
                        .with("extension", required);
            }
        }
        List<String> active = new ArrayList<>();
        Json.Arr declared = known.capabilities().array("extensions");
        if (declared != null) {
            for (Json each : declared.items()) {
                String uri = each instanceof Json.Obj one ? one.string("uri") : null;
                if (uri != null && named.contains(uri)) {
                    active.add(uri);
                }
            }
        }
        if (!active.isEmpty()) {
            request.with("A2A-Extensions", String.join(", ", active));
        }
    }

    /** A tenant routes, it gives no right: any but the credential's is as if there were nothing. */
    static void requireTenant(A2aRequest request, @Nullable String tenant) throws Refusal {
        if (tenant != null && !tenant.equals(request.caller().tenant())) {
            throw Refusal.of(A2aError.TASK_NOT_FOUND);
        }
    }

    static @Nullable String key(A2aRequest request) {
        String key = request.header("Idempotency-Key");
        return key == null || key.isBlank() || key.length() > 256 ? null : key;
    }

    static @Nullable Long lastEventId(A2aRequest request) {
        String id = request.header("Last-Event-ID");
        if (id == null) {
            return null;
        }
        return id.matches("[0-9]{1,15}") ? (Long) Long.parseLong(id) : Long.valueOf(-1L);
    }
}

package dev.harmovela.a2a;

import dev.harmovela.contract.json.Json;
import dev.harmovela.spi.Answer;
import dev.harmovela.spi.Ask;
import dev.harmovela.spi.Hub;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The cards that agents declared when they opened their sessions, completed by what the hub knows. */
final class Cards {

    private final Hub hub;
    private final A2aSettings settings;

    /**
     * What the hub knows of an agent.
     *
     * @param card the card it declared
     * @param extended the extended card it declared, or null
     * @param attached whether it is reachable now
     */
    record Known(Json.Obj card, Json.@Nullable Obj extended, boolean attached) {

        Json.Obj capabilities() {
            Json.Obj all = card.object("capabilities");
            return all == null ? Json.Obj.of() : all;
        }

        /** Streaming and push are the hub's work: offered unless the agent says no. */
        boolean offers(String capability) {
            return !Boolean.FALSE.equals(capabilities().bool(capability));
        }

        /** Whether parts of that type may be sent to it. */
        boolean takes(String mediaType) {
            String bare = mediaType.split(";", 2)[0].strip().toLowerCase(Locale.ROOT);
            List<String> modes = new ArrayList<>(card.strings("defaultInputModes"));
            Json.Arr skills = card.array("skills");
            if (skills != null) {
                for (Json each : skills.items()) {
                    if (each instanceof Json.Obj skill) {
                        modes.addAll(skill.strings("inputModes"));
                    }
                }
            }
            for (String mode : modes) {
                String lower = mode.toLowerCase(Locale.ROOT);
                boolean whole = lower.equals(bare) || lower.equals("*/*");
                boolean family = lower.endsWith("/*") && bare.startsWith(lower.substring(0, lower.length() - 1));
                if (whole || family) {
                    return true;
                }
            }
            return false;
        }

        /** Addresses of the extensions without which nothing is served. */
        List<String> requiredExtensions() {
            List<String> required = new ArrayList<>();
            Json.Arr extensions = capabilities().array("extensions");
            if (extensions != null) {
                for (Json each : extensions.items()) {
                    if (each instanceof Json.Obj one && Boolean.TRUE.equals(one.bool("required"))) {
                        required.add(String.valueOf(one.string("uri")));
                    }
                }
            }
            return required;
        }
    }

    Cards(Hub hub, A2aSettings settings) {
        this.hub = hub;
        this.settings = settings;
    }

    /** Asks the hub for an agent; null when there is none with a card. */
    void find(String tenant, String agent, Consumer<@Nullable Known> done) {
        Ask ask = new Ask("agents", null, Json.Obj.of().with("identity", Json.of(agent)), 1, null);
        hub.ask(Bridge.caller(tenant), ask, answer -> done.accept(known(answer)));
    }

    private static @Nullable Known known(Answer answer) {
        if (!(answer instanceof Answer.Found found)) {
            return null;
        }
        Json.Arr rows = null;
        for (String name : found.body().names()) {
            rows = rows == null ? found.body().array(name) : rows;
        }
        if (rows == null || rows.items().isEmpty() || !(rows.items().getFirst() instanceof Json.Obj row)) {
            return null;
        }
        Json.Obj card = row.object("agent_card");
        return card == null
                ? null
                : new Known(
                        Proto.camel(card),
                        row.object("extended_agent_card"),
                        Boolean.TRUE.equals(row.bool("attached")));
    }

    private String base(String agent) {
        String url = settings.url().get().toString();
        String path = agent.equals(settings.defaultAgent()) ? "" : "/agents/" + agent.substring("agent:".length());
        return url + "/a2a" + path;
    }

    /** The card of A2A 1.0. */
    Json.Obj card(String agent, String tenant, Known known, Json.Obj declared) {
        Json.Obj capabilities = known.capabilities()
                .with("streaming", Json.of(known.offers("streaming")))
                .with("pushNotifications", Json.of(known.offers("pushNotifications")));
        if (known.extended() != null) {
            capabilities = capabilities.with("extendedAgentCard", Json.of(true));
        }
        Json.Obj card = Json.Obj.builder()
                .put("name", declared.string("name"))
                .put("description", orElse(declared.string("description"), "An agent of this hub"))
                .put("supportedInterfaces", interfaces(agent, tenant))
                .put("provider", declared.object("provider"))
                .put("version", orElse(declared.string("version"), "1.0.0"))
                .put("documentationUrl", declared.string("documentationUrl"))
                .put("capabilities", capabilities)
                .put("defaultInputModes", modes(declared, "defaultInputModes"))
                .put("defaultOutputModes", modes(declared, "defaultOutputModes"))
                .put("skills", skills(declared))
                .put("iconUrl", declared.string("iconUrl"))
                .build();
        return settings.loginNeeded() ? secured(card) : card;
    }

    private static String orElse(@Nullable String text, String otherwise) {
        return text == null ? otherwise : text;
    }

    private static Json.Arr modes(Json.Obj declared, String name) {
        List<String> given = declared.strings(name);
        return Json.of(given.isEmpty() ? List.of("text/plain", "application/json") : given);
    }

    private static Json.Arr skills(Json.Obj declared) {
        Json.Arr given = declared.array("skills");
        if (given != null && !given.items().isEmpty()) {
            return given;
        }
        String name = orElse(declared.string("name"), "tasks");
        Json skill = Json.Obj.builder()
                .put("id", "tasks")
                .put("name", name)
                .put("description", "Takes messages")
                .put("tags", List.of("tasks"))
                .build();
        return new Json.Arr(List.of(skill));
    }

    private static Json.Obj secured(Json.Obj card) {
        Json.Obj scheme =
                Json.Obj.of().with("httpAuthSecurityScheme", Json.Obj.of().with("scheme", Json.of("Bearer")));
        Json.Obj required = Json.Obj.of()
                .with("schemes", Json.Obj.of().with("hub", Json.Obj.of().with("list", new Json.Arr(List.of()))));
        return card.with("securitySchemes", Json.Obj.of().with("hub", scheme))
                .with("securityRequirements", new Json.Arr(List.of(required)));
    }

    private Json.Arr interfaces(String agent, String tenant) {
        String base = base(agent);
        List<Json> all = new ArrayList<>();
        all.add(entry(base, "JSONRPC", "1.0", null));
        all.add(entry(base, "HTTP+JSON", "1.0", null));
        String grpc = settings.grpc().get();
        if (grpc != null) {
            all.add(entry(grpc, "GRPC", "1.0", agent.equals(settings.defaultAgent()) ? null : RouteToken.of(agent)));
        }
        all.add(entry(base, "JSONRPC", "1.0", tenant));
        if (settings.legacy()) {
            all.add(entry(base + "/legacy", "JSONRPC", "0.3", null));
        }
        if (settings.experimental()) {
            all.add(entry(base + "/1.2", "JSONRPC", "1.2", null));
        }
        return new Json.Arr(all);
    }

    private static Json.Obj entry(String url, String binding, String version, @Nullable String tenant) {
        return Json.Obj.builder()
                .put("url", url)
                .put("protocolBinding", binding)
                .put("tenant", tenant)
                .put("protocolVersion", version)
                .build();
    }

    /** The card of A2A 0.3. */
    Json.Obj legacy(String agent, Known known) {
        Json.Obj declared = known.card();
        return Json.Obj.builder()
                .put("protocolVersion", "0.3.0")
                .put("name", declared.string("name"))
                .put("description", orElse(declared.string("description"), "An agent of this hub"))
                .put("url", base(agent) + "/legacy")
                .put("preferredTransport", "JSONRPC")
                .put("version", orElse(declared.string("version"), "1.0.0"))
                .put(
                        "capabilities",
                        Json.Obj.builder()
                                .put("streaming", Json.of(known.offers("streaming")))
                                .put("pushNotifications", Json.of(known.offers("pushNotifications")))
                                .build())
                .put("defaultInputModes", modes(declared, "defaultInputModes"))
                .put("defaultOutputModes", modes(declared, "defaultOutputModes"))
                .put("skills", skills(declared))
                .build();
    }
}

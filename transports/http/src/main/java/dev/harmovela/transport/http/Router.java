package dev.harmovela.transport.http;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Which handler serves which address. Filled before the port opens. */
final class Router {

    /** Stands for any one segment. */
    private static final String ANY = "{}";

    /** Stands for any further segments, none included. */
    private static final String REST = "**";

    /** The handlers of one address. */
    static final class Route {
        private final List<String> template;
        private final Map<String, Handler> handlers = new LinkedHashMap<>();
        private boolean needsNoCredential;
        private boolean headless;

        private Route(List<String> template) {
            this.template = template;
        }

        /** Serves without looking at the credential. */
        Route open() {
            needsNoCredential = true;
            return this;
        }

        /** Answers to GET here cannot be told by their headers alone. */
        Route withoutHead() {
            headless = true;
            return this;
        }

        /** The address it serves, with placeholders. */
        String address() {
            return "/" + String.join("/", template);
        }

        boolean needsNoCredential() {
            return needsNoCredential;
        }

        @Nullable Handler handler(String method) {
            if (method.equals("HEAD") && !headless) {
                return handlers.get("GET");
            }
            return handlers.get(method);
        }

        /** For the {@code Allow} header. */
        String allow() {
            TreeSet<String> verbs = new TreeSet<>(handlers.keySet());
            verbs.add("OPTIONS");
            if (verbs.contains("GET") && !headless) {
                verbs.add("HEAD");
            }
            return String.join(", ", verbs);
        }

        private @Nullable List<String> match(List<String> segments) {
            List<String> arguments = new ArrayList<>();
            int i = 0;
            for (; i < template.size(); i++) {
                String expected = template.get(i);
                if (expected.equals(REST)) {
                    return arguments;
                }
                if (i >= segments.size()) {
                    return null;
                }
                String actual = segments.get(i);
                if (expected.equals(ANY) && !actual.isEmpty()) {
                    arguments.add(actual);
                } else if (!expected.equals(actual)) {
                    return null;
                }
            }
            return i == segments.size() ? arguments : null;
        }
    }

    /** A route and what stood in its placeholders. */
    record Match(Route route, List<String> arguments) {}

    private final Map<String, Route> routes = new LinkedHashMap<>();

    /** Adds a handler; {@code template} is a path with {@code {}} for one segment or a last {@code **} for the rest. */
    Route add(String method, String template, Handler handler) {
        Route route = routes.computeIfAbsent(
                template, t -> new Route(List.of(t.substring(1).split("/", -1))));
        if (route.handlers.put(method, handler) != null) {
            throw new IllegalStateException(method + " " + template + " is served already");
        }
        return route;
    }

    /** What is served, as {@code GET /path}; those that need no credential have {@code open} behind them. */
    List<String> served() {
        List<String> all = new ArrayList<>();
        routes.forEach((template, route) -> route.handlers
                .keySet()
                .forEach(method -> all.add(method + " " + template + (route.needsNoCredential ? " open" : ""))));
        return all;
    }

    @Nullable Match find(List<String> segments) {
        for (Route route : routes.values()) {
            List<String> arguments = route.match(segments);
            if (arguments != null) {
                return new Match(route, arguments);
            }
        }
        return null;
    }
}

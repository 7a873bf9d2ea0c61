package dev.harmovela.conformance.a2a.check;

import dev.harmovela.conformance.a2a.wire.Answer;
import dev.harmovela.conformance.a2a.wire.Client;
import dev.harmovela.conformance.a2a.wire.EventStream;
import dev.harmovela.conformance.a2a.wire.Opened;
import dev.harmovela.conformance.a2a.wire.Request;
import dev.harmovela.conformance.a2a.wire.Secrets;
import dev.harmovela.conformance.a2a.wire.WireException;
import dev.harmovela.contract.json.Json;
import dev.harmovela.contract.json.JsonException;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;

/** Looks at everything that an endpoint says during a run, and keeps only what the last checks ask for. Any thread. */
public final class Watch implements Client {

    private static final int KEPT = 100;
    private static final Pattern STACK = Pattern.compile(
            "\\bat [\\w$.]+\\([\\w$]+\\.(java|kt|js|ts|py|go):\\d+\\)|Traceback \\(most recent call last\\)"
                    + "|\\n\\s+at .+:\\d+:\\d+\\)?|goroutine \\d+ \\[");

    private final Client inner;
    private final Secrets secrets;
    final Set<String> states = ConcurrentHashMap.newKeySet();
    final Set<String> leaks = ConcurrentHashMap.newKeySet();
    final Set<String> traces = ConcurrentHashMap.newKeySet();

    public Watch(Client inner, Secrets secrets) {
        this.inner = inner;
        this.secrets = secrets;
    }

    @Override
    public Answer send(Request request) throws WireException {
        Answer answer = inner.send(request);
        look(request, answer);
        return answer;
    }

    @Override
    public Opened open(Request request) throws WireException {
        Opened opened = inner.open(request);
        look(request, opened.head());
        EventStream events = opened.events();
        return events == null ? opened : new Opened(opened.head(), new Watched(request, events));
    }

    private void look(Request request, Answer answer) {
        answer.headers().values().forEach(value -> say(request, value));
        read(request, answer.body());
    }

    /** Looks at a text as it is, and at what it says once it is read as JSON. */
    private void read(Request request, String text) {
        say(request, text);
        try {
            if (!text.isBlank()) {
                walk(request, Json.parse(text));
            }
        } catch (JsonException notJson) {
            // looked at as text above
        }
    }

    private void say(Request request, String text) {
        if (secrets.in(text)) {
            keep(leaks, request.method() + " " + request.uri().getPath());
        }
        if (STACK.matcher(text).find()) {
            keep(traces, request.method() + " " + request.uri().getPath());
        }
    }

    private static void keep(Set<String> into, String value) {
        if (into.size() < KEPT) {
            into.add(value);
        }
    }

    private void walk(Request request, Json json) {
        switch (json) {
            case Json.Str text -> say(request, text.value());
            case Json.Arr array -> array.items().forEach(item -> walk(request, item));
            case Json.Obj object -> {
                Json.Obj status = object.object("status");
                Json state = status == null ? null : status.raw("state");
                if (state != null) {
                    keep(states, state instanceof Json.Str text ? text.value() : state.toString());
                }
                object.forEach((name, value) -> {
                    if (!name.equals("metadata") && !name.equals("data")) {
                        walk(request, value);
                    }
                });
            }
            case Json.Num _, Json.Bool _, Json.Null _ -> {
                // nothing to look at
            }
        }
    }

    private final class Watched implements EventStream {

        private final Request request;
        private final EventStream events;

        Watched(Request request, EventStream events) {
            this.request = request;
            this.events = events;
        }

        @Override
        public Step next(Duration patience) {
            Step step = events.next(patience);
            if (step.kind() == Kind.DATA) {
                read(request, step.data());
            }
            return step;
        }

        @Override
        public void close() {
            events.close();
        }
    }
}

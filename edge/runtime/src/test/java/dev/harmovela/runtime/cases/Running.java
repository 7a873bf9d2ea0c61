package dev.harmovela.runtime.cases;

import dev.harmovela.client.HttpApi;
import dev.harmovela.client.NotReachable;
import dev.harmovela.client.SseStream;
import dev.harmovela.contract.json.Json;
import dev.harmovela.runtime.ConfigLoader;
import dev.harmovela.runtime.ConfigProblem;
import dev.harmovela.runtime.Daemon;
import dev.harmovela.runtime.DaemonConfig;
import dev.harmovela.runtime.StartFailed;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** A hub of this process on a free port, and what a test asks it over HTTP. */
final class Running implements AutoCloseable {

    static final Duration PATIENCE = Duration.ofSeconds(20);

    private final Map<String, String> settings;
    private Daemon daemon;
    private HttpApi http;

    private Running(Map<String, String> settings) {
        this.settings = settings;
        this.daemon = started(settings);
        this.http = new HttpApi(daemon.url(), null, PATIENCE);
    }

    /** A development hub in memory; {@code settings} are pairs of a path and a value. */
    static Running inMemory(String... settings) {
        return new Running(settings("", settings));
    }

    /** A development hub that keeps its journal in a folder, in small files. */
    static Running in(Path folder, String... settings) {
        return new Running(settings(folder.toString(), settings));
    }

    private static Map<String, String> settings(String data, String... pairs) {
        Map<String, String> settings = new HashMap<>();
        settings.put("HARMOVELA_PORT", "0");
        settings.put("HARMOVELA_DEV", "true");
        settings.put("HARMOVELA_DRAIN_GRACE_MS", "50");
        settings.put("HARMOVELA_LOG_LEVEL", "error");
        if (!data.isEmpty()) {
            settings.put("HARMOVELA_DATA", data);
            settings.put("HARMOVELA_JOURNAL_SEGMENT_BYTES", "1048576");
        }
        for (int i = 0; i < pairs.length; i += 2) {
            settings.put(
                    "HARMOVELA_" + pairs[i].toUpperCase(java.util.Locale.ROOT).replace('.', '_'), pairs[i + 1]);
        }
        return settings;
    }

    /** The configuration of a hub in a folder. */
    static DaemonConfig config(Path folder) throws ConfigProblem {
        return config(settings(folder.toString()));
    }

    private static DaemonConfig config(Map<String, String> settings) throws ConfigProblem {
        return ConfigLoader.load(new ConfigLoader.Sources(Path.of(""), settings, null, Map.of()))
                .config();
    }

    private static Daemon started(Map<String, String> settings) {
        try {
            return Daemon.start(config(settings));
        } catch (ConfigProblem | StartFailed failed) {
            throw new AssertionError(failed);
        }
    }

    Daemon daemon() {
        return daemon;
    }

    URI url() {
        return daemon.url();
    }

    /** Stops the hub and starts it again on the same folder, on another port. */
    void restart() {
        close();
        daemon = started(settings);
        http = new HttpApi(daemon.url(), null, PATIENCE);
    }

    // --- over HTTP

    HttpApi.Reply get(String path) throws NotReachable {
        return http.get(path);
    }

    HttpApi.Reply delete(String path) throws NotReachable {
        return http.delete(path);
    }

    HttpApi.Reply post(String path, String body) throws NotReachable {
        return http.post(path, "application/json", body.getBytes(StandardCharsets.UTF_8));
    }

    /** Posts an event for a session, as an agent does that listens to an event stream. */
    HttpApi.Reply say(String sessionId, String event) throws NotReachable {
        return post("/harmovela/events?session_id=" + sessionId, event);
    }

    /** Publishes an event without a session; its id. */
    String publish(String type, String members) throws NotReachable {
        Json.Obj event = Events.of(type, "agent:publisher", members);
        HttpApi.Reply reply = post("events", event.toString());
        if (reply.status() != 202) {
            throw new AssertionError(reply);
        }
        return Objects.requireNonNull(event.string("id"));
    }

    List<Json.Obj> list(String path) throws NotReachable {
        List<Json.Obj> items = new ArrayList<>();
        for (Json item :
                Objects.requireNonNull(get(path).object().array("items")).items()) {
            items.add((Json.Obj) item);
        }
        return items;
    }

    /** Opens a session by a POST, as an agent does that will listen to an event stream. */
    String openByPost(String identity) throws NotReachable {
        Json.Obj open = Events.of("session.open", identity, "");
        String id = Objects.requireNonNull(
                post("/harmovela/events", open.toString()).object().string("session_id"));
        say(
                id,
                Events.of("session.ready", identity, "\"session_id\":\"" + id + "\"")
                        .toString());
        return id;
    }

    SseStream stream(String sessionId) throws NotReachable {
        return SseStream.open(url(), "/harmovela/events?session_id=" + sessionId, null, null, PATIENCE);
    }

    Agent agent(String identity) throws Exception {
        return Agent.open(url(), identity);
    }

    @Override
    public void close() {
        http.close();
        daemon.close();
    }
}

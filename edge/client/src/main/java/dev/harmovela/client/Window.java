package dev.harmovela.client;

import dev.harmovela.contract.json.Json;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;

/** Events that were sent and not answered yet, in order, so that they can be sent again under the same ids. */
final class Window {

    private record Entry(String text, CompletableFuture<Json.Obj> answer) {}

    private final Semaphore room;
    private final Map<String, Entry> entries = new LinkedHashMap<>();

    Window(int size) {
        this.room = new Semaphore(size);
    }

    /** Waits for room, then remembers the event. */
    CompletableFuture<Json.Obj> add(String id, String text) throws InterruptedException {
        room.acquire();
        CompletableFuture<Json.Obj> answer = new CompletableFuture<>();
        synchronized (entries) {
            if (entries.putIfAbsent(id, new Entry(text, answer)) != null) {
                room.release();
                throw new IllegalArgumentException("event " + id + " is on its way already");
            }
        }
        return answer;
    }

    /** The hub answered {@code id}; whether somebody waited for it. */
    boolean answered(String id, Json.Obj answer) {
        Entry entry = remove(id);
        if (entry == null) {
            return false;
        }
        String type = answer.string("type");
        if (type != null && (type.endsWith(".rejected") || type.equals("session.error"))) {
            entry.answer().completeExceptionally(HubRefused.from(answer));
        } else {
            entry.answer().complete(answer);
        }
        return true;
    }

    /** What to send again, in order. */
    List<String> unanswered() {
        synchronized (entries) {
            return entries.values().stream().map(Entry::text).toList();
        }
    }

    /** Nothing will be answered any more. */
    void fail(Throwable cause) {
        List<Entry> all;
        synchronized (entries) {
            all = new ArrayList<>(entries.values());
            entries.clear();
        }
        for (Entry entry : all) {
            room.release();
            entry.answer().completeExceptionally(cause);
        }
    }

    private @Nullable Entry remove(String id) {
        Entry entry;
        synchronized (entries) {
            entry = entries.remove(id);
        }
        if (entry != null) {
            room.release();
        }
        return entry;
    }
}

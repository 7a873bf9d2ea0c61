package dev.harmovela.a2a;

import dev.harmovela.contract.Timestamps;
import dev.harmovela.contract.json.Json;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** ListTasks: filters, order and pages. */
final class Listing {

    private static final int DEFAULT_SIZE = 50;
    private static final int LARGEST_SIZE = 100;
    private static final String OFFSET = "offset";
    private static final int MOST_OFFSET = 999_999_999;
    private static final Comparator<TaskLog> NEWEST = Comparator.comparing(
                    (TaskLog log) -> log.now().timestamp())
            .reversed()
            .thenComparing(log -> log.id);

    private Listing() {}

    static Json of(Call call, Tasks tasks) throws Refusal {
        Json.Obj params = call.params();
        Integer asked = Proto.integer(params, "pageSize");
        int size = asked == null ? DEFAULT_SIZE : asked;
        if (size < 1 || size > LARGEST_SIZE) {
            throw Refusal.invalid("pageSize", "a number from 1 to " + LARGEST_SIZE + " is expected");
        }
        Integer keep = Operations.historyLength(params);
        boolean artifacts = Boolean.TRUE.equals(Proto.bool(params, "includeArtifacts"));
        String[] from = position(Proto.string(params, "pageToken"));
        List<TaskLog> all = matching(call, tasks);
        all.sort(NEWEST);
        int start = start(all, from);
        int end = Math.min(all.size(), start + size);
        List<Json> page = new ArrayList<>();
        for (TaskLog log : all.subList(start, end)) {
            page.add(log.now().json(keep, artifacts));
        }
        return Json.Obj.builder()
                .put("tasks", new Json.Arr(page))
                .put("nextPageToken", end < all.size() ? token(all.get(end - 1)) : "")
                .put("pageSize", size)
                .put("totalSize", all.size())
                .build();
    }

    private static List<TaskLog> matching(Call call, Tasks tasks) throws Refusal {
        String context = Proto.string(call.params(), "contextId");
        String state = Proto.state(call.params(), "status");
        Long after = Proto.timestamp(call.params(), "statusTimestampAfter");
        List<TaskLog> found = new ArrayList<>();
        for (TaskLog log : tasks.all()) {
            boolean wanted = Operations.isVisible(call, log)
                    && (context == null || context.equals(log.contextId))
                    && (state == null || state.equals(log.now().state()))
                    && (after == null || Timestamps.parse(log.now().timestamp()) >= after);
            if (wanted) {
                found.add(log);
            }
        }
        return found;
    }

    private static int start(List<TaskLog> all, String @Nullable [] from) {
        if (from == null) {
            return 0;
        }
        if (from[0].equals(OFFSET)) {
            return Math.min(all.size(), Integer.parseInt(from[1]));
        }
        int start = 0;
        while (start < all.size() && !isBehind(all.get(start), from)) {
            start++;
        }
        return start;
    }

    /** The token of the page that begins behind {@code offset} tasks, as older dialects ask for it. */
    static String tokenAt(int offset) {
        return encoded(OFFSET + ' ' + Math.min(offset, MOST_OFFSET) + " -");
    }

    private static String token(TaskLog last) {
        return encoded("v1 " + last.now().timestamp() + ' ' + last.id);
    }

    private static String encoded(String text) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }

    private static String @Nullable [] position(@Nullable String token) throws Refusal {
        if (token == null) {
            return null;
        }
        try {
            String[] pieces = new String(Base64.getUrlDecoder().decode(token), StandardCharsets.UTF_8).split(" ", 3);
            boolean number = pieces.length == 3 && pieces[0].equals(OFFSET) && pieces[1].matches("[0-9]{1,9}");
            if (number || (pieces.length == 3 && pieces[0].equals("v1"))) {
                return pieces;
            }
        } catch (IllegalArgumentException noToken) {
            // refused below
        }
        throw Refusal.invalid("pageToken", "a token of an earlier page is expected");
    }

    private static boolean isBehind(TaskLog log, String[] position) {
        int order = position[1].compareTo(log.now().timestamp());
        return order > 0 || (order == 0 && log.id.compareTo(position[2]) > 0);
    }
}

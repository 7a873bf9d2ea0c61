package dev.harmovela.harness;

import dev.harmovela.contract.ErrorCode;
import dev.harmovela.contract.EventDraft;
import dev.harmovela.contract.ProtocolError;
import dev.harmovela.contract.json.Json;
import dev.harmovela.dimension.governance.Rights;
import dev.harmovela.harness.QuerySnapshots.Question;
import dev.harmovela.harness.QuerySnapshots.Snapshot;
import dev.harmovela.spi.Answer;
import dev.harmovela.spi.Ask;
import dev.harmovela.spi.Caller;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * {@code query.requested} to the hub itself (§10, D28): answered once, within the caller's rights, from a numbered
 * snapshot. Pages of one answer are pages of one snapshot; what changed since a version is told as the difference.
 */
final class HubQueries {

    /** A snapshot holds so many rows; an answer that would have more says that it is incomplete. */
    static final int MOST_ROWS = 10_000;

    private static final int USUAL_PAGE = 100;
    private static final int MOST_PAGE = 1000;
    private static final int MOST_SCOPE_CHARS = 256;

    private final Shard shard;
    private final Questions questions;
    private final QuerySnapshots snapshots = new QuerySnapshots();

    HubQueries(Shard shard, Questions questions) {
        this.shard = shard;
        this.questions = questions;
    }

    /** A query as it was asked. */
    private record Asked(
            Input in,
            Question question,
            int limit,
            @Nullable Place place) {

        Json.Obj payload() {
            return in.event().payload();
        }
    }

    /** Where a page begins: so many rows into the snapshot of a version. */
    private record Place(long version, int row) {

        String cursor() {
            byte[] text = (version + "." + row).getBytes(StandardCharsets.US_ASCII);
            return Base64.getUrlEncoder().withoutPadding().encodeToString(text);
        }

        static @Nullable Place of(String cursor) {
            try {
                String text = new String(Base64.getUrlDecoder().decode(cursor), StandardCharsets.US_ASCII);
                int dot = text.indexOf('.');
                Place place = dot < 1
                        ? null
                        : new Place(Long.parseLong(text.substring(0, dot)), Integer.parseInt(text.substring(dot + 1)));
                return place == null || place.row() < 0 ? null : place;
            } catch (IllegalArgumentException _) {
                return null;
            }
        }
    }

    /** Answers a query, or refuses it. */
    void query(Input in) {
        shard.flushSettling();
        Json.Obj payload = in.event().payload();
        String scope = payload.string("query_scope");
        if (scope == null || scope.isEmpty() || scope.length() > MOST_SCOPE_CHARS) {
            refuse(in, "payload.query_scope", "one of the hub's scopes", String.valueOf(scope));
            return;
        }
        Json.Obj pagination = payload.object("pagination");
        String cursor = pagination == null ? null : Replies.blankToNull(pagination.string("cursor"));
        Place place = cursor == null ? null : Place.of(cursor);
        if (cursor != null && place == null) {
            refuse(in, "payload.pagination.cursor", "a cursor of an earlier answer", cursor);
            return;
        }
        Long limit = pagination == null ? null : pagination.integer("limit");
        Json.Obj filter = payload.object("filter");
        Caller behind = in.conn().caller();
        String who =
                in.tenant() + '\n' + in.actor() + '\n' + behind.credential().name();
        Asked asked = new Asked(
                in,
                new Question(who, scope, filter == null ? "" : filter.toString()),
                limit == null ? USUAL_PAGE : Math.clamp(limit, 1, MOST_PAGE),
                place);
        Ask ask = new Ask(scope, null, filter == null ? Json.Obj.of() : filter, MOST_ROWS, null);
        Caller caller = new Caller(in.actor(), in.tenant(), behind.trust(), behind.credential());
        Rights rights = shard.gate.rightsOf(in);
        ProtocolError refused = Policy.asking(ask, rights);
        if (refused != null) {
            shard.replies.refused(in, refused);
        } else if (!fromKept(asked)) {
            find(asked, caller, rights, ask);
        }
    }

    private void refuse(Input in, String path, String expected, String got) {
        shard.replies.refused(in, ProtocolError.mismatch(ErrorCode.INVALID_QUERY, path, expected, got));
    }

    // --- from what is kept

    /** Whether the query names a version, or takes an answer of some age, and was answered or refused for that. */
    private boolean fromKept(Asked asked) {
        Long wanted = asked.payload().integer("snapshot_version");
        Long named = asked.place() == null ? wanted : (Long) asked.place().version();
        if (named != null) {
            Snapshot kept = snapshots.of(asked.question(), named);
            if (kept == null) {
                stale(asked, asked.place() == null ? "payload.snapshot_version" : "payload.pagination.cursor");
            } else {
                acknowledge(asked);
                tell(asked, kept);
            }
            return true;
        }
        Long since = asked.payload().integer("since_version");
        if (since != null && snapshots.of(asked.question(), since) == null) {
            stale(asked, "payload.since_version");
            return true;
        }
        Json.Obj freshness = asked.payload().object("freshness");
        Long age = freshness == null ? null : freshness.integer("max_age_ms");
        Snapshot latest = snapshots.latest(asked.question());
        if (latest == null
                || freshness == null
                || age == null
                || Boolean.TRUE.equals(freshness.bool("require_consistent"))
                || shard.now() - latest.at() > age) {
            return false;
        }
        acknowledge(asked);
        tell(asked, latest);
        return true;
    }

    private void stale(Asked asked, String path) {
        Snapshot latest = snapshots.latest(asked.question());
        shard.replies.refused(
                asked.in(),
                ProtocolError.of(ErrorCode.STALE_STATE, "that version is not kept any more: ask without it")
                        .with("path", path)
                        .with("latest", latest == null ? Json.Null.NULL : Json.of(latest.version())));
    }

    // --- from what is so

    private void find(Asked asked, Caller caller, Rights rights, Ask ask) {
        if (ask.scope().equals("tasks")) {
            ProtocolError problem = questions.tasks().problem("payload.filter.", ask);
            if (problem != null) {
                shard.replies.refused(asked.in(), problem);
                return;
            }
            acknowledge(asked);
            questions.tasks().list(caller, Questions.narrowed(caller, rights, ask), answer -> finish(asked, answer));
            return;
        }
        Answer answer = questions.answer(caller, rights, ask);
        if (answer instanceof Answer.Failed failed) {
            shard.replies.refused(asked.in(), failed.error());
        } else {
            acknowledge(asked);
            finish(asked, answer);
        }
    }

    private void acknowledge(Asked asked) {
        shard.replies.acknowledged(asked.in(), 0, false, null);
    }

    /** The query was acknowledged: whatever comes of it is told as an event. */
    private void finish(Asked asked, Answer answer) {
        switch (answer) {
            case Answer.Failed failed ->
                shard.replies.tell(
                        asked.in().conn(),
                        draft(asked, "query.error")
                                .payload(Json.Obj.builder()
                                        .put("reason", failed.error().reason())
                                        .put("error", failed.error().toJson())
                                        .build())
                                .build());
            case Answer.Found found -> {
                if (snapshots.isFull(shard.journal.lastLsn())) {
                    shard.append(shard.systemHeader("snapshot"), List.of(), List.of());
                }
                tell(asked, snapshots.keep(asked.question(), found.body(), shard.journal.lastLsn(), shard.now()));
            }
        }
    }

    private EventDraft draft(Asked asked, String type) {
        return shard.replies
                .draft(type)
                .target(Replies.blankToNull(asked.in().event().source()))
                .correlationId(asked.in().event().correlationId())
                .causationId(asked.in().event().id());
    }

    private void tell(Asked asked, Snapshot snapshot) {
        Json.Builder payload = Json.Obj.builder()
                .put("query_scope", snapshot.question().scope())
                .put("snapshot_version", snapshot.version());
        Long since = asked.payload().integer("since_version");
        Snapshot from = since == null ? null : snapshots.of(asked.question(), since);
        if (!snapshot.body().has("items")) {
            payload.put("data", snapshot.body());
        } else if (from != null) {
            payload.put("delta", QuerySnapshots.delta(from, snapshot));
        } else {
            page(payload, asked, snapshot);
        }
        shard.replies.tell(
                asked.in().conn(),
                draft(asked, "query.response").payload(payload.build()).build());
    }

    private static void page(Json.Builder payload, Asked asked, Snapshot snapshot) {
        List<Json> rows = snapshot.items();
        int from = Math.min(asked.place() == null ? 0 : asked.place().row(), rows.size());
        int to = Math.min(from + asked.limit(), rows.size());
        String incomplete = snapshot.body().string("incomplete");
        if (incomplete == null && snapshot.body().string("next_cursor") != null) {
            incomplete = "there are more than " + MOST_ROWS + ": narrow the filter";
        }
        payload.put("items", new Json.Arr(rows.subList(from, to)))
                .put("as_of", snapshot.body().string("as_of"))
                .put("incomplete", incomplete)
                .put(
                        "pagination",
                        Json.Obj.builder()
                                .put(
                                        "next_cursor",
                                        to < rows.size()
                                                ? Json.of(new Place(snapshot.version(), to).cursor())
                                                : Json.Null.NULL)
                                .build());
    }
}

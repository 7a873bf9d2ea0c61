package dev.harmovela.harness;

import dev.harmovela.contract.Cursor;
import dev.harmovela.contract.ErrorCode;
import dev.harmovela.contract.ProtocolError;
import dev.harmovela.contract.Timestamps;
import dev.harmovela.contract.json.Json;
import dev.harmovela.dimension.event.Session;
import dev.harmovela.dimension.event.Subscription;
import dev.harmovela.dimension.governance.Actions;
import dev.harmovela.dimension.governance.Rights;
import dev.harmovela.harness.delivery.Feed;
import dev.harmovela.spi.Answer;
import dev.harmovela.spi.Ask;
import dev.harmovela.spi.Caller;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Answers questions about what is alive, through the output barrier: whoever asks sees its own writes and nothing
 * that could still be lost. What lies in the log only is left to {@link History}.
 */
final class Questions {

    private final Shard shard;
    private final History history;
    private final OpenDeliveries deliveries;
    private final TaskLists tasks;
    private final HubQueries queries;

    Questions(Shard shard) {
        this.shard = shard;
        this.history = new History(shard);
        this.deliveries = new OpenDeliveries(shard);
        this.tasks = new TaskLists(shard);
        this.queries = new HubQueries(shard, this);
    }

    HubQueries queries() {
        return queries;
    }

    TaskLists tasks() {
        return tasks;
    }

    void ask(Caller caller, Ask ask, Consumer<Answer> done) {
        Rights rights = shard.hub.callers().policy().rights(caller);
        ProtocolError refused = Policy.asking(ask, rights);
        if (refused != null) {
            shard.later(() -> done.accept(new Answer.Failed(refused)));
            return;
        }
        if (ask.scope().equals("history")) {
            shard.later(() -> history.ask(caller, rights, ask, done));
            return;
        }
        if (ask.scope().equals("audit")) {
            shard.flushSettling();
            shard.denials.flush(true);
            shard.later(() -> shard.audit.ask(caller, ask, done));
            return;
        }
        if (ask.scope().equals("dead_letter")) {
            shard.letters.show(caller, rights, String.valueOf(ask.id()), done);
            return;
        }
        if (ask.scope().equals("deliveries")) {
            shard.flushSettling();
            deliveries.ask(caller, ask, done);
            return;
        }
        shard.flushSettling();
        Ask seen = ask.scope().equals("tasks") ? narrowed(caller, rights, ask) : ask;
        ProtocolError problem = ask.scope().equals("tasks") ? tasks.problem("", ask) : null;
        if (problem != null) {
            shard.later(() -> done.accept(new Answer.Failed(problem)));
            return;
        }
        switch (ask.scope()) {
            case "tasks" -> tasks.list(caller, seen, done);
            case "task" -> tasks.show(caller, rights, String.valueOf(ask.id()), done);
            default -> {
                Answer answer = answer(caller, rights, ask);
                shard.later(() -> done.accept(answer));
            }
        }
    }

    /** What can be said at once. */
    Answer answer(Caller caller, Rights rights, Ask ask) {
        String tenant = caller.tenant();
        return switch (ask.scope()) {
            case "status" -> new Answer.Found(status(tenant, rights));
            case "stats", "delivery.stats" -> new Answer.Found(shard.stats.tenant(tenant));
            case "sessions" -> page(ask, sessions(caller, rights));
            case "session" -> one(ask, sessions(caller, rights), "session_id");
            case "agents" -> page(ask, agents(caller, rights));
            case "subscriptions" -> page(ask, subscriptions(visible(caller)));
            case "subscription" -> one(ask, subscriptions(named(caller, ask.id())), "subscription_id");
            case "pending" -> page(ask, pending(caller));
            case "state" -> known(rights, "state", ask, of -> of.knowledge.state(tenant));
            case "beliefs" -> known(rights, "belief", ask, of -> of.knowledge.beliefs(tenant));
            case "delegations" -> known(rights, "delegation", ask, of -> of.delegations.list(tenant));
            case "budgets" -> known(rights, "adaptation", ask, of -> of.adaptation.budgets(tenant));
            case "goals" -> known(rights, "adaptation", ask, of -> of.adaptation.goals(tenant));
            case "exchanges" -> page(ask, exchanges(caller, rights));
            case "interruptions" -> known(rights, "interruption", ask, of -> of.interruptions.list(tenant));
            case "compensations" -> known(rights, "compensation", ask, of -> of.compensations.list(tenant));
            case "attestations" -> known(rights, "provenance", ask, of -> of.knowledge.attestations(tenant));
            case "dead_letters" -> shard.letters.page(tenant, ask);
            default ->
                new Answer.Failed(ProtocolError.because(
                        ErrorCode.NOT_SUPPORTED, "unknown_scope", "nothing is known about " + ask.scope()));
        };
    }

    /** What is known together is for those who may read the events that say it. */
    private Answer known(Rights rights, String family, Ask ask, Function<Dimensions, List<Json.Obj>> rows) {
        return rights.mayRead(family)
                ? page(ask, rows.apply(shard.state.dimensions))
                : new Answer.Failed(Policy.missing("read:" + family));
    }

    // --- what is alive

    /** A list of tasks holds only what the caller may see. */
    static Ask narrowed(Caller caller, Rights rights, Ask ask) {
        return new Ask(ask.scope(), ask.id(), Sight.ofTasks(caller, rights, ask.filter()), ask.limit(), ask.cursor());
    }

    /** The tenant's own figures; those of the hub as a whole for those who may see them. */
    private Json.Obj status(String tenant, Rights rights) {
        boolean whole = rights.holds(Actions.HUB_READ);
        return Json.Obj.builder()
                .put("hub", Replies.HUB)
                .put("journal", shard.journal.id())
                .put("epoch", shard.journal.epoch())
                .put("ready", shard.hub.health().isReady())
                .put("sessions", whole ? shard.state.sessions.count() : shard.state.sessions.countOf(tenant))
                .put(
                        "subscriptions",
                        whole ? shard.state.subscriptions.count() : shard.state.subscriptions.countOf(tenant))
                .put("tasks_live", shard.state.tasks.live(tenant))
                .put("cursor", cursor(shard.journal.lastLsn()))
                .put("durable_cursor", cursor(shard.journal.durableLsn()))
                .put("earliest_cursor", cursor(Math.max(0, shard.journal.firstLsn() - 1)))
                .put("journal_bytes", whole ? (Long) shard.journal.sizeBytes() : null)
                .put("conformance_spaces", whole ? (Long) (long) shard.hub.openSpaces() : null)
                .build();
    }

    private List<Json.Obj> sessions(Caller caller, Rights rights) {
        List<Json.Obj> rows = new ArrayList<>();
        for (Session session : shard.state.sessions.all()) {
            SessionHandle handle = shard.handles.get(session.id());
            if (handle != null && Sight.ofSession(caller, rights, session)) {
                rows.add(Json.Obj.builder()
                        .put("session_id", session.id())
                        .put("identity", session.identity())
                        .put("state", session.state().name())
                        .put("transport", session.transport())
                        .put("attached", handle.isAttached())
                        .put("connections", handle.wires.size())
                        .put("subscriptions", handle.feeds.size())
                        .put("opened_at", Timestamps.format(session.openedAt()))
                        .put("last_seen_at", Timestamps.format(handle.lastSeen))
                        .put("profiles", session.capabilities().strings("profiles"))
                        .build());
            }
        }
        return rows;
    }

    /**
     * The requests that the caller made or has to answer; of the whole tenant for those who read everything of them.
     */
    private List<Json.Obj> exchanges(Caller caller, Rights rights) {
        return shard.state.dimensions.exchanges.list(caller.tenant(), shard.now()).stream()
                .filter(row -> rights.mayRead(String.valueOf(row.string("kind")))
                        || Sight.names(caller, row.string("requester"))
                        || Sight.names(caller, row.string("target")))
                .toList();
    }

    private List<Json.Obj> agents(Caller caller, Rights rights) {
        String tenant = caller.tenant();
        Map<String, Json.Obj> declared = declaredBy(tenant);
        List<Json.Obj> rows = new ArrayList<>();
        for (Subscription one : shard.state.subscriptions.all()) {
            if (one.kind() == Subscription.Kind.INBOX && Sight.ofInbox(caller, rights, one)) {
                rows.add(Json.Obj.builder()
                        .put("identity", one.owner())
                        .put("attached", shard.presences.attached(tenant, one.owner()))
                        .put("sessions", shard.state.sessions.countOf(tenant, one.owner()))
                        .put("agent_card", card(declared.get(one.owner()), "agent_card"))
                        .put("extended_agent_card", card(declared.get(one.owner()), "extended_agent_card"))
                        .put("members", members(tenant, one.owner()))
                        .put(
                                "inbox_pending",
                                shard.requireFeed(one.id()).route().position().pending())
                        .put("tasks", (long)
                                shard.state.tasks.tasksOf(tenant, one.owner()).size())
                        .build());
            }
        }
        return rows;
    }

    /** Who belongs to a pool; null for an agent. */
    private @Nullable Json members(String tenant, String pool) {
        List<String> members = shard.presences.members(tenant, pool);
        return members.isEmpty() ? null : Json.of(members);
    }

    /** What each agent with a card declared when it opened its session; of several sessions the last one's. */
    private Map<String, Json.Obj> declaredBy(String tenant) {
        Map<String, Json.Obj> declared = new HashMap<>();
        for (Session session : shard.state.sessions.all()) {
            if (session.tenant().equals(tenant) && session.capabilities().object("agent_card") != null) {
                declared.put(session.identity(), session.capabilities());
            }
        }
        return declared;
    }

    private static Json.@Nullable Obj card(Json.@Nullable Obj capabilities, String name) {
        return capabilities == null ? null : capabilities.object(name);
    }

    private List<Json.Obj> subscriptions(List<Feed> feeds) {
        List<Json.Obj> rows = new ArrayList<>();
        for (Feed feed : feeds) {
            Subscription one = feed.route().subscription();
            rows.add(shard.stats
                    .describe(shard.subscriptions.describe(one), feed)
                    .put("kind", one.kind().name().toLowerCase(java.util.Locale.ROOT))
                    .put("owner", one.owner())
                    .put("attached", feed.isAttached())
                    .put("live", feed.isLive())
                    .put("stalled", feed.stalled())
                    .put("behind", Retaining.behind(shard, feed).toJson())
                    .put("in_flight", feed.inFlight())
                    .put("acknowledged_cursor", cursor(feed.route().position().floorLsn()))
                    .build());
        }
        return rows;
    }

    private List<Feed> visible(Caller caller) {
        return shard.feeds.values().stream()
                .filter(feed -> shard.pulls.sees(caller, feed.route().subscription()))
                .toList();
    }

    private List<Feed> named(Caller caller, @Nullable String id) {
        return visible(caller).stream().filter(feed -> feed.id().equals(id)).toList();
    }

    private List<Json.Obj> pending(Caller caller) {
        return subscriptions(visible(caller)).stream()
                .filter(row -> {
                    Json.Obj counts = row.object("deliveries");
                    Long pending = counts == null ? null : counts.integer("pending");
                    return pending != null && pending > 0;
                })
                .toList();
    }

    // --- pages

    private static Answer one(Ask ask, List<Json.Obj> rows, String key) {
        for (Json.Obj row : rows) {
            if (ask.id() != null && ask.id().equals(row.string(key))) {
                return new Answer.Found(row);
            }
        }
        return found(null, ask.scope(), ask.id());
    }

    static Answer found(Json.@Nullable Obj body, String what, @Nullable String id) {
        return body == null
                ? new Answer.Failed(ProtocolError.because(ErrorCode.PROTOCOL_ERROR, "not_found", "no such " + what)
                        .with("id", String.valueOf(id)))
                : new Answer.Found(body);
    }

    static Answer page(Ask ask, List<Json.Obj> rows) {
        int from = 0;
        if (ask.cursor() != null) {
            try {
                from = Integer.parseInt(ask.cursor());
            } catch (NumberFormatException _) {
                return foreignCursor();
            }
        }
        List<Json> items = new ArrayList<>();
        int at = Math.max(0, from);
        while (at < rows.size() && items.size() < ask.limit()) {
            Json.Obj row = rows.get(at++);
            if (matches(row, ask.filter())) {
                items.add(row);
            }
        }
        return new Answer.Found(Json.Obj.builder()
                .put("items", new Json.Arr(items))
                .put("next_cursor", at < rows.size() ? Json.of(Integer.toString(at)) : Json.Null.NULL)
                .build());
    }

    private static Answer foreignCursor() {
        return new Answer.Failed(ProtocolError.because(
                ErrorCode.INVALID_PAYLOAD, "cursor_out_of_range", "this page cursor is not one of ours"));
    }

    private static boolean matches(Json.Obj row, Json.Obj filter) {
        for (String name : filter.names()) {
            Json wanted = filter.get(name);
            if (wanted != null && !wanted.equals(row.get(name))) {
                return false;
            }
        }
        return true;
    }

    private String cursor(long lsn) {
        return new Cursor(shard.journal.id(), lsn).text();
    }
}

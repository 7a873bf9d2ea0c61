package dev.harmovela.testkit.sim;

import dev.harmovela.contract.Cursor;
import dev.harmovela.contract.json.Json;
import dev.harmovela.dimension.task.TaskPolicy;
import dev.harmovela.harness.HubConfig;
import dev.harmovela.spi.Answer;
import dev.harmovela.spi.Ask;
import dev.harmovela.spi.Caller;
import dev.harmovela.testkit.disk.SimCrash;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;

/** A hub on a machine that may fail, and the agents that work together through it. */
final class Team {

    private static final int MOST_STARTS = 20;

    final SplittableRandom random;
    final Machine machine;
    final Script script = new Script();
    final List<TeamMember> members = new ArrayList<>();
    final List<String> taskIds = new ArrayList<>();
    /** Requests of which nothing is written, as {@code family requester correlation}. */
    final Set<String> passing = new HashSet<>();

    private final Set<String> spending = new HashSet<>();
    /** Spendings of which clients were told that they were admitted. */
    private final Set<String> admitted = new HashSet<>();

    private final List<Runnable> acknowledgements = new ArrayList<>();
    private long shownLsn;
    private int ids;
    private int refusals;

    Team(long seed) {
        random = new SplittableRandom(seed);
        HubConfig usual = HubConfig.defaults(List.of("websocket"));
        HubConfig config = new HubConfig(
                usual.registry(),
                usual.limits(),
                usual.offer(),
                usual.retry(),
                TaskPolicy.DEFAULTS.withLeaseMs(30_000).withCancelGraceMs(2_000),
                usual.bounds());
        machine = new Machine(seed, random.split(), config, Sabotage.NOTHING);
        int count = random.nextInt(3, 6);
        for (int i = 0; i < count; i++) {
            members.add(new TeamMember(this, machine, "agent:" + (char) ('a' + i)));
        }
    }

    String nextId() {
        return "e" + ++ids;
    }

    int refusals() {
        return refusals;
    }

    /** A member has sent something that costs a budget. */
    void spends(String eventId) {
        spending.add(eventId);
    }

    // --- what leaves the hub

    void left(Json.Obj event) {
        String type = event.string("type");
        Json.Obj payload = event.object("payload");
        String cause = event.string("causation_id");
        if ("event.acknowledged".equals(type) && payload != null) {
            String text = payload.string("cursor");
            Cursor cursor = text == null ? null : Cursor.parse(text);
            if (cursor != null) {
                shownLsn = Math.max(shownLsn, cursor.lsn());
            }
            if (cause != null && spending.remove(cause)) {
                admitted.add(cause);
            }
        } else if (type != null && type.endsWith(".rejected") && payload != null && payload.has("error")) {
            refusals++;
        }
    }

    /** A delivery is settled once the hub has been let go. */
    void later(TeamMember member, Json.Obj event) {
        Json.Obj delivery = event.object("delivery");
        acknowledgements.add(() -> member.say(
                "event.acknowledged",
                Json.Obj.builder()
                        .put(
                                "payload",
                                Json.Obj.builder()
                                        .put("acknowledged_event_id", event.string("id"))
                                        .put(
                                                "subscription_id",
                                                delivery == null ? null : delivery.string("subscription_id"))
                                        .build())
                        .build()));
    }

    private void acknowledge() {
        List<Runnable> all = List.copyOf(acknowledgements);
        acknowledgements.clear();
        all.forEach(Runnable::run);
    }

    // --- life

    void boot() throws IOException {
        for (int tries = 0; !machine.start(shownLsn); tries++) {
            if (tries > MOST_STARTS) {
                throw new IllegalStateException("the machine cannot be started");
            }
            machine.cutPower();
        }
        machine.checkState();
        script.add("the hub starts");
        for (TeamMember member : members) {
            attach(member);
        }
    }

    void attach(TeamMember member) throws IOException {
        guarded(() -> {
            member.attach(members.indexOf(member) % 2 == 1);
            acknowledge();
            machine.settle();
        });
    }

    /** The machine loses power, or only the process dies. */
    void fall(boolean power) throws IOException {
        script.add(power ? "power cut" : "the process dies");
        if (power) {
            machine.cutPower();
        } else {
            machine.kill();
        }
        members.forEach(member -> member.lose(false));
        acknowledgements.clear();
        boot();
    }

    /** Runs a move; a power failure in the middle of it is part of the game. */
    void guarded(Runnable move) throws IOException {
        try {
            move.run();
        } catch (SimCrash _) {
            // seen below
        }
        Throwable failure = HubErrors.first();
        if (failure != null && !(failure instanceof SimCrash)) {
            throw new AssertionError("the hub failed inside: " + failure, failure);
        }
        if (machine.disk().isDown() || !machine.isUp()) {
            fall(machine.disk().isDown() && random.nextInt(4) != 0);
        }
        machine.checkNowAndThen();
    }

    /** Everything that waits happens, and what was delivered is settled. */
    void settle() throws IOException {
        for (int i = 0; i < 50; i++) {
            guarded(machine::settle);
            if (acknowledgements.isEmpty()) {
                return;
            }
            guarded(this::acknowledge);
        }
        throw new Violation("deliveries do not end");
    }

    void pass(long millis) throws IOException {
        guarded(() -> {
            machine.advance(millis);
            machine.tick();
        });
        settle();
    }

    // --- looking

    /** The log as its judge sees it. */
    TeamWatch judged() {
        TeamWatch watch = new TeamWatch(passing);
        Set<String> missing = new HashSet<>(admitted);
        machine.readLog((lsn, event) -> {
            missing.remove(event.id());
            watch.stored(lsn, event);
        });
        if (!missing.isEmpty()) {
            throw new Violation("clients were told that these were admitted, and nobody knows of them: " + missing);
        }
        return watch;
    }

    List<Json> rows(String scope) throws IOException {
        Answer[] got = new Answer[1];
        guarded(() -> {
            machine.hub()
                    .ask(Caller.open(), new Ask(scope, null, Json.Obj.of(), 10_000, null), answer -> got[0] = answer);
            machine.settle();
        });
        Json.Arr items = got[0] instanceof Answer.Found(Json.Obj body) ? body.array("items") : null;
        if (items == null) {
            throw new Violation("no answer about " + scope + ": " + got[0]);
        }
        return items.items();
    }
}

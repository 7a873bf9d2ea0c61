package dev.harmovela.testkit.sim;

import dev.harmovela.contract.EventReader;
import dev.harmovela.contract.EventRegistry;
import dev.harmovela.contract.Limits;
import dev.harmovela.contract.RetryPolicy;
import dev.harmovela.contract.Timestamps;
import dev.harmovela.contract.json.Json;
import dev.harmovela.dimension.task.TaskPolicy;
import dev.harmovela.harness.HubConfig;
import dev.harmovela.testkit.disk.SimCrash;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * Everything a simulation consists of: the machine with its hub, the agents, the oracle, the script of what
 * happened.
 */
final class World {

    final SplittableRandom random;
    final Machine machine;
    final Oracle oracle;
    final Letters letters;
    final Script script = new Script();
    final List<Agent> agents = new ArrayList<>();
    final List<String> taskIds = new ArrayList<>();
    /** The disk was full or failed at some time: publishes may be refused for that. */
    boolean diskTrouble;

    private final Map<String, Publish> published = new LinkedHashMap<>();
    private final EventReader reader = new EventReader(EventRegistry.standard(), Limits.DEFAULT);
    private final long heartbeatMillis;
    private int ids;
    private int numbers;

    World(long seed, Sabotage sabotage) {
        random = new SplittableRandom(seed);
        heartbeatMillis = random.nextInt(3) == 0 ? random.nextInt(2_000, 20_000) : 0;
        machine = new Machine(seed, random.split(), config(random.split()), sabotage);
        oracle = new Oracle(this);
        letters = new Letters(this);
        int count = random.nextInt(2, 5);
        for (int i = 0; i < count; i++) {
            agents.add(new Agent(this, "agent:" + (char) ('a' + i)));
        }
        if (random.nextBoolean()) {
            agents.add(new Agent(this, "agent:a"));
        }
    }

    /** Whether history is short, so that retention takes things that somebody may still want. */
    boolean forgets() {
        return machine.forgets();
    }

    private static HubConfig config(SplittableRandom random) {
        HubConfig all = HubConfig.defaults(List.of("websocket"));
        HubConfig.Bounds wide = HubConfig.Bounds.DEFAULT;
        int ring = random.nextBoolean() ? 1_000 : 100_000;
        int window = random.nextInt(1, 8);
        boolean small = random.nextInt(3) == 0;
        long resume = random.nextBoolean() ? 300_000 : 3_000;
        HubConfig.Bounds bounds = new HubConfig.Bounds(
                ring,
                4096,
                wide.windowBytes(),
                window,
                1_000,
                20,
                8,
                1_000,
                50,
                2,
                resume,
                5_000,
                small ? new HubConfig.Retention(random.nextInt(40, 120), 1L << 30, 1L << 40) : wide.lag(),
                small ? new HubConfig.Retention(random.nextInt(20, 60), 1L << 30, 1L << 40) : wide.retention(),
                wide.audit());
        int attempts = random.nextInt(1, 4);
        long ackTimeout = random.nextBoolean() ? 1_000 : 30_000;
        RetryPolicy retry = new RetryPolicy(attempts, 200, 2, 2_000, ackTimeout, attempts == 3 ? 0.5 : 0);
        TaskPolicy tasks = TaskPolicy.DEFAULTS.withLeaseMs(5_000).withCancelGraceMs(2_000);
        return new HubConfig(all.registry(), all.limits(), all.offer(), retry, tasks, bounds);
    }

    long heartbeatMillis() {
        return heartbeatMillis;
    }

    String nextId() {
        return "e" + ++ids;
    }

    int nextNumber() {
        return ++numbers;
    }

    /** The members every event of a client has. */
    Json.Builder envelope(String id, String type, String source) {
        return Json.Obj.builder()
                .put("spec_version", "0.2")
                .put("id", id)
                .put("type", type)
                .put("source", source)
                .put("created_at", Timestamps.format(machine.now()));
    }

    // --- what was published

    /** Makes something to publish out of an event. */
    Publish publish(Json.Obj json, @Nullable Publish conflictsWith) {
        byte[] bytes = json.toString().getBytes(StandardCharsets.UTF_8);
        if (!(reader.read(bytes, 0, bytes.length) instanceof EventReader.Read.Ok ok)) {
            throw new IllegalStateException("the simulation wrote a bad event: " + json);
        }
        Publish made = new Publish(json, ok.event(), conflictsWith);
        if (conflictsWith == null) {
            published.put(made.id(), made);
        }
        return made;
    }

    @Nullable Publish published(String id) {
        return published.get(id);
    }

    Collection<Publish> published() {
        return published.values();
    }

    // --- the machine and its wires

    /** Starts the hub, again and again when the power fails meanwhile. */
    void boot() throws IOException {
        int tries = 0;
        while (!machine.start(oracle.shownLsn())) {
            if (++tries > 20) {
                throw new IllegalStateException("the machine cannot be started");
            }
            fall(true);
        }
        machine.checkState();
        script.add("the hub starts, its log ends at " + machine.probe().lastLsn());
    }

    /** The machine loses power, or only the process dies; clients notice. */
    void fall(boolean power) {
        script.add(power ? "power cut" : "the process dies");
        if (power) {
            machine.cutPower();
        } else {
            machine.kill();
        }
        breakWires();
    }

    void breakWires() {
        for (Agent agent : agents) {
            for (AgentWire wire : agent.wires) {
                wire.broken();
                oracle.crashed(wire);
            }
        }
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
            boot();
        }
        machine.calm();
        machine.checkNowAndThen();
    }
}

package dev.harmovela.testkit.sim;

import dev.harmovela.contract.json.Json;
import java.io.IOException;
import java.util.List;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Plays a short story with a hub whose power fails at one step of its disk. The agents do what careful clients do:
 * they come
 * back, resume, and repeat what was not acknowledged.
 */
final class Stage {

    private static final int PATIENCE = 8;

    final World world;

    private Stage(World world) {
        this.world = world;
    }

    /** A story; it may be told on any stage. */
    @FunctionalInterface
    interface Story {
        void play(Stage stage) throws IOException;
    }

    /**
     * Plays a story once for every step of the disk in it, each time with a power cut at that step.
     *
     * @return how many steps there were
     */
    static int crashEverywhere(Story story) {
        int step = 1;
        while (play(story, step)) {
            step++;
        }
        return step - 1;
    }

    private static boolean play(Story story, int step) {
        HubErrors.listen();
        World world = new World(1, Sabotage.NOTHING);
        try {
            world.machine.disk().crashAtStep(step);
            world.boot();
            story.play(new Stage(world));
            world.machine.disk().crashAtStep(0);
            new Finale(world).play();
            return world.machine.starts() > 1;
        } catch (IOException | RuntimeException | AssertionError e) {
            throw new AssertionError(
                    "power cut at step " + step + ": " + e.getMessage() + "\n" + String.join("\n", world.script.last()),
                    e);
        }
    }

    Agent agent(int number) {
        return world.agents.get(number);
    }

    /** Lets messages go back and forth until nothing moves any more. */
    void flow() throws IOException {
        for (int i = 0; i < PATIENCE; i++) {
            for (Agent agent : world.agents) {
                AgentWire wire = agent.wire();
                if (wire != null) {
                    world.guarded(() -> wire.carry(Integer.MAX_VALUE));
                }
            }
            world.guarded(world.machine::settle);
            for (Agent agent : world.agents) {
                AgentWire wire = agent.wire();
                while (wire != null && agent.read(wire)) {
                    // everything there is
                }
            }
        }
    }

    /** An agent with a session, the one it had if it had one. */
    AgentWire present(Agent agent) throws IOException {
        for (int i = 0; i < PATIENCE; i++) {
            AgentWire wire = agent.wire();
            if (wire != null && agent.hasSession() && !agent.sessionsOn(wire).isEmpty()) {
                return wire;
            }
            world.guarded(() -> agent.open(agent.connect(1_000), true, false));
            flow();
        }
        throw new AssertionError(agent.identity + " gets no session");
    }

    /** Does something with an agent that is there, and waits for what follows. */
    void act(Agent agent, BiConsumer<Agent, AgentWire> action) throws IOException {
        AgentWire wire = present(agent);
        action.accept(agent, wire);
        flow();
    }

    void subscribe(Agent agent, String filter) throws IOException {
        int before = agent.subscriptions.size();
        for (int i = 0; i < PATIENCE && agent.subscriptions.size() == before; i++) {
            act(agent, (who, wire) -> who.send(wire, "subscription.requested", (Json.Obj) Json.parse(filter)));
        }
    }

    /** Publishes and repeats until it is acknowledged or refused. */
    void publish(Agent agent, String type, @Nullable String target, @Nullable String taskId, Json.Obj payload)
            throws IOException {
        Json.Obj json = world.envelope(world.nextId(), type, agent.identity)
                .put("target", target)
                .put("task_id", taskId)
                .put("payload", payload)
                .build();
        Publish publish = world.publish(json, null);
        Sent message = new Sent(publish.id(), type, json, publish);
        for (int i = 0; i < PATIENCE && publish.lsn == 0 && !publish.refused; i++) {
            act(agent, (_, wire) -> wire.toHub.add(message));
        }
    }

    /** Settles everything that an agent holds. */
    void settle(Agent agent, boolean acknowledged) throws IOException {
        AgentWire wire = present(agent);
        for (Agent.Held one : List.copyOf(agent.held)) {
            if (acknowledged) {
                agent.acknowledge(wire, one, true);
            } else {
                agent.refuse(wire, one, "not_supported", false);
            }
        }
        agent.send(wire, "session.heartbeat", Json.Obj.of());
        flow();
    }

    void pass(long millis) throws IOException {
        world.guarded(() -> {
            world.machine.advance(millis);
            world.machine.hub().tick();
        });
        flow();
    }
}

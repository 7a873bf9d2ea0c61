package dev.harmovela.testkit.sim;

import dev.harmovela.testkit.disk.SimDisk;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The scheduler: draws by seed what happens next, one small thing at a time. */
final class Chaos {

    private final World world;
    private final Talk talk;
    private final SplittableRandom random;
    private final boolean lossyWires;
    private final boolean crashes;
    private final boolean diskTrouble;
    private boolean diskFull;

    Chaos(World world, boolean crashes) {
        this.world = world;
        this.talk = new Talk(world);
        this.random = world.random;
        this.lossyWires = random.nextInt(2) == 0;
        this.crashes = crashes && random.nextInt(4) != 0;
        this.diskTrouble = crashes && random.nextInt(3) == 0;
    }

    private boolean chance(int percent) {
        return random.nextInt(100) < percent;
    }

    /** Agents come and subscribe, so that there is something to disturb. */
    void begin() throws IOException {
        for (Agent agent : world.agents) {
            world.guarded(() -> connect(agent, false));
        }
        for (int round = 0; round < 3; round++) {
            for (Agent agent : world.agents) {
                world.guarded(() -> meet(agent));
            }
        }
    }

    private void meet(Agent agent) {
        AgentWire wire = agent.wire();
        if (wire == null) {
            return;
        }
        if (agent.hasSession()) {
            world.script.add(wire + " " + talk.subscribe(agent, wire));
        }
        wire.carry(10);
        world.machine.settle();
        while (agent.read(wire)) {
            // everything there is
        }
    }

    /** One move. */
    void move() throws IOException {
        int what = random.nextInt(1000);
        world.guarded(() -> {
            if (what < 330) {
                work();
            } else if (what < 520) {
                carry();
            } else if (what < 680) {
                read();
            } else if (what < 920) {
                speak();
            } else if (what < 953) {
                time();
            } else if (what < 975) {
                wires();
            } else if (what < 990) {
                operate();
            } else {
                trouble();
            }
        });
        if (random.nextInt(40) == 0 && world.machine.isUp()) {
            world.machine.probePowerCut(world.oracle.shownLsn());
        }
    }

    // --- the machine

    private void work() {
        Machine machine = world.machine;
        for (int i = random.nextInt(1, 4); i > 0; i--) {
            boolean any = switch (random.nextInt(8)) {
                case 0, 1, 2 -> machine.stepOwner();
                case 3, 4 -> machine.stepWriter();
                case 5, 6 -> machine.stepRead();
                default -> machine.stepBehind();
            };
            if (!any) {
                machine.stepOwner();
            }
        }
    }

    private void time() {
        long millis = switch (random.nextInt(6)) {
            case 0 -> random.nextInt(1, 5);
            case 1, 2 -> random.nextInt(5, 100);
            case 3, 4 -> random.nextInt(100, 2_000);
            default -> random.nextInt(2_000, 20_000);
        };
        world.machine.advance(millis);
        if (chance(10)) {
            world.machine.setClock(random.nextInt(-5_000, 5_000));
        }
        world.script.add("time passes: " + millis);
        world.machine.tick();
    }

    /** Somebody looks after the hub. */
    private void operate() {
        if (world.forgets() && chance(50)) {
            snapshot();
        } else {
            world.script.add("the operator " + world.letters.operate(random));
        }
    }

    private void snapshot() {
        world.script.add("snapshot");
        world.machine.probe().takeSnapshot();
    }

    private void trouble() {
        SimDisk disk = world.machine.disk();
        int kind = random.nextInt(10);
        if (kind < 5 && crashes) {
            int step = random.nextInt(1, 12);
            disk.crashAtStep(step);
            world.script.add("the power will fail at disk step " + step + " from now");
        } else if (kind == 5 && crashes) {
            world.script.add("the hub stops in good order");
            world.machine.stop();
            world.breakWires();
            restart();
        } else if (kind < 8 && diskTrouble) {
            diskFull = !diskFull;
            world.diskTrouble = true;
            disk.capacity(diskFull ? disk.used() + random.nextInt(20_000) : Long.MAX_VALUE);
            world.script.add(diskFull ? "the disk fills up" : "there is room on the disk again");
        } else if (kind == 8 && diskTrouble) {
            int force = random.nextInt(1, 6);
            world.diskTrouble = true;
            disk.failForce(force);
            world.script.add("force " + force + " from now fails");
        } else {
            snapshot();
        }
    }

    private void restart() {
        try {
            world.boot();
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    /** Everything that was broken on purpose works again. */
    void makePeace() {
        world.machine.disk().capacity(Long.MAX_VALUE).crashAtStep(0).failForce(-1);
        world.machine.setClock(0);
    }

    // --- wires

    private Agent someAgent() {
        return world.agents.get(random.nextInt(world.agents.size()));
    }

    /** A wire on which something waits, in the direction that is asked for. */
    private @Nullable AgentWire waiting(Predicate<AgentWire> waits) {
        List<AgentWire> wires = new ArrayList<>();
        for (Agent agent : world.agents) {
            agent.wires.stream().filter(waits).forEach(wires::add);
        }
        return wires.isEmpty() ? null : wires.get(random.nextInt(wires.size()));
    }

    private void carry() {
        AgentWire wire = waiting(one -> !one.isGone() && !one.toHub.isEmpty());
        if (wire == null) {
            return;
        }
        if (lossyWires && chance(10)) {
            spoil(wire);
        }
        int most = random.nextInt(1, 5);
        world.script.add(wire + " carries " + wire.toHub.stream().limit(most).toList());
        wire.carry(most);
    }

    /** A client or a proxy doubles, swaps or swallows a message. */
    private void spoil(AgentWire wire) {
        Sent first = wire.toHub.poll();
        if (first == null) {
            return;
        }
        Sent second = wire.toHub.poll();
        switch (random.nextInt(3)) {
            case 0 -> {
                world.script.add(wire + " loses " + first);
                first = null;
            }
            case 1 -> {
                world.script.add(wire + " doubles " + first);
                wire.toHub.addFirst(first);
            }
            default -> {
                world.script.add(wire + " swaps " + first + " and " + second);
                Sent swapped = second;
                second = first;
                first = swapped;
            }
        }
        if (second != null) {
            wire.toHub.addFirst(second);
        }
        if (first != null) {
            wire.toHub.addFirst(first);
        }
    }

    private void read() {
        AgentWire wire = waiting(one -> !one.isHeld() && !one.toAgent.isEmpty());
        if (wire == null) {
            return;
        }
        Agent agent = wire.agent;
        int most = random.nextInt(1, 6);
        while (most-- > 0 && agent.read(wire)) {
            // as many as were drawn
        }
        agent.sweep();
    }

    private void wires() {
        Agent agent = someAgent();
        AgentWire wire = agent.wire();
        if (wire == null) {
            return;
        }
        switch (random.nextInt(8)) {
            case 0, 1, 2 -> {
                world.script.add(wire + " is cut");
                wire.cut();
            }
            case 3, 4 -> {
                boolean held = !wire.isHeld();
                world.script.add(wire + (held ? " is read no more" : " is read again"));
                wire.hold(held);
            }
            case 5 -> connect(agent, false);
            case 6 -> connect(agent, true);
            default -> {
                world.script.add(wire + " asks for its session again");
                agent.open(wire, chance(80), chance(50));
            }
        }
        agent.sweep();
    }

    private void connect(Agent agent, boolean share) {
        AgentWire made = agent.connect(random.nextInt(3) == 0 ? random.nextInt(1, 5) : 1_000);
        boolean resume = chance(90);
        world.script.add(made + " connects" + (share ? " to share" : ""));
        agent.open(made, resume, share);
    }

    // --- agents

    private void speak() {
        Agent agent = someAgent();
        AgentWire wire = agent.wire();
        if (wire == null) {
            connect(agent, false);
            return;
        }
        if (!agent.hasSession() && chance(80)) {
            if (wire.toHub.isEmpty() && wire.toAgent.isEmpty() && chance(20)) {
                world.script.add(wire + " asks for a session");
                agent.open(wire, false, false);
            }
            return;
        }
        String said = say(agent, wire);
        if (said != null) {
            world.script.add(wire + " " + said);
        }
    }

    private @Nullable String say(Agent agent, AgentWire wire) {
        int what = random.nextInt(100);
        if (what < 22) {
            return talk.publish(agent, wire);
        } else if (what < 28) {
            return talk.repeat(agent, wire);
        } else if (what < 34) {
            return talk.submit(agent, wire);
        } else if (what < 48) {
            return talk.report(agent, wire);
        } else if (what < 58) {
            return talk.subscribe(agent, wire);
        } else if (what < 60) {
            return talk.unsubscribe(agent, wire);
        } else if (what < 85) {
            return talk.settle(agent, wire);
        } else if (what < 89) {
            return talk.settleWrongly(agent, wire);
        } else if (what < 98) {
            return talk.heartbeat(agent, wire);
        } else if (what < 99) {
            return talk.close(agent, wire);
        }
        return null;
    }
}

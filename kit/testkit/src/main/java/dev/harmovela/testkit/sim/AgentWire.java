package dev.harmovela.testkit.sim;

import dev.harmovela.contract.json.Json;
import dev.harmovela.spi.CloseReason;
import dev.harmovela.spi.Connection;
import dev.harmovela.spi.Message;
import dev.harmovela.spi.Peer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One connection of an agent: messages under way in both directions, a limit to what may wait, and an end at any
 * time.
 */
final class AgentWire implements Peer {

    /** A settlement that the hub took and that no later heartbeat has confirmed yet. */
    static final class Settling {
        final String messageId;
        final boolean finalWord;
        final List<Copy> copies;
        boolean refused;

        Settling(String messageId, boolean finalWord, List<Copy> copies) {
            this.messageId = messageId;
            this.finalWord = finalWord;
            this.copies = copies;
        }
    }

    final Agent agent;
    final int number;
    final ArrayDeque<Sent> toHub = new ArrayDeque<>();
    final ArrayDeque<Json.Obj> toAgent = new ArrayDeque<>();
    /** Messages the hub has taken from this wire and not answered, by id, oldest first. */
    final Map<String, ArrayDeque<Sent>> unanswered = new HashMap<>();
    /** Settlements in the order in which the hub took them. */
    final List<Settling> settling = new ArrayList<>();
    /** How many settlements lay in front of each heartbeat. */
    final Map<String, ArrayDeque<Integer>> fences = new HashMap<>();
    /** Announced attempt by subscription and event. */
    final Map<String, Integer> announced = new HashMap<>();

    private final World world;
    private final int room;
    private @Nullable Connection connection;
    private boolean held;
    private boolean wasFull;
    private boolean closedByHub;
    private boolean gone;

    AgentWire(World world, Agent agent, int number, int room) {
        this.world = world;
        this.agent = agent;
        this.number = number;
        this.room = room;
    }

    void attach(Connection made) {
        connection = made;
    }

    Connection connection() {
        return Objects.requireNonNull(connection);
    }

    // --- the agent's side

    boolean isGone() {
        return gone;
    }

    boolean isClosedByHub() {
        return closedByHub;
    }

    /** Hands the next messages to the hub as one batch. */
    void carry(int most) {
        int left = most;
        while (left-- > 0
                && !toHub.isEmpty()
                && !gone
                && !closedByHub
                && connection().wantsInput()) {
            Sent message = toHub.poll();
            world.oracle.taken(this, message);
            connection().receive(message.bytes(), 0, message.bytes().length);
        }
        if (!gone) {
            connection().batchEnd();
        }
    }

    /** The next message that has arrived at the agent, or null. */
    Json.@Nullable Obj read() {
        Json.Obj next = toAgent.poll();
        announceRoom();
        return next;
    }

    /** Stops or resumes reading on the agent's side. */
    void hold(boolean now) {
        held = now;
        announceRoom();
    }

    boolean isHeld() {
        return held;
    }

    private void announceRoom() {
        if (wasFull && writable() && !gone) {
            wasFull = false;
            connection().writable();
        }
    }

    /** The connection breaks; what is under way is lost. */
    void cut() {
        if (!gone) {
            gone = true;
            toHub.clear();
            toAgent.clear();
            if (connection != null) {
                connection().closed();
            }
        }
    }

    /** The hub's machine went down under the wire. */
    void broken() {
        gone = true;
        toHub.clear();
    }

    // --- the hub's side

    @Override
    public boolean writable() {
        boolean writable = !held && toAgent.size() < room && !gone && !closedByHub;
        wasFull |= !writable;
        return writable;
    }

    @Override
    public void send(Message message) {
        if (closedByHub) {
            return;
        }
        byte[] bytes = message.toByteArray();
        Json.Obj event = (Json.Obj) Json.parse(bytes, 0, bytes.length);
        world.oracle.left(this, message.answer, event);
        if (!gone) {
            toAgent.add(event);
        }
    }

    @Override
    public void flush() {}

    @Override
    public void close(CloseReason reason, String text) {
        closedByHub = true;
    }

    @Override
    public String toString() {
        return agent.identity + "/" + number;
    }
}

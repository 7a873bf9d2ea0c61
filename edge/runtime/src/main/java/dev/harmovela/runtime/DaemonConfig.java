package dev.harmovela.runtime;

import dev.harmovela.contract.CustomFamily;
import dev.harmovela.contract.RetryPolicy;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Everything a hub process is told, once, at its start. Times are milliseconds, sizes are bytes.
 *
 * @param listen where it is reached and by whom
 * @param data folder of the journal, null for memory only
 * @param securityFile tenants, roles and tokens; null when there is no data folder for them
 * @param linksFile links to brokers; null when there is no data folder for them
 * @param logLevel {@code error}, {@code warn}, {@code info} or {@code debug}
 * @param drainGraceMs how long it waits for those attached when it stops
 * @param limits of one event
 * @param sessions bounds of sessions
 * @param subscriptions bounds of subscriptions
 * @param retry retry policy where neither event nor subscription names one (§6)
 * @param tasks rules for tasks that name none (D31)
 * @param retention how much history is kept
 * @param audit how much is kept of the audit of history that is gone
 * @param lag how far a subscription may fall behind
 * @param journal sizes of the log
 * @param memory bounds of what is kept at hand
 * @param http bounds of the port
 * @param grpc where gRPC is served, and its bounds
 * @param families event families of the operator
 */
public record DaemonConfig(
        Listen listen,
        @Nullable Path data,
        @Nullable Path securityFile,
        @Nullable Path linksFile,
        String logLevel,
        long drainGraceMs,
        Limits limits,
        Sessions sessions,
        Subscriptions subscriptions,
        RetryPolicy retry,
        Tasks tasks,
        History retention,
        Audit audit,
        History lag,
        Journal journal,
        Memory memory,
        Http http,
        Grpc grpc,
        List<CustomFamily> families) {

    public DaemonConfig {
        families = List.copyOf(families);
    }

    /** Who may reach the hub. */
    public enum Access {
        /** Everybody who reaches the port, with the name they give: development only. */
        OPEN,
        /** Holders of a credential of the security file. */
        AUTHENTICATED
    }

    /**
     * Where a hub is reached.
     *
     * @param host address to bind
     * @param port port to bind, 0 for a free one
     * @param access who is let in
     * @param network whether addresses other than loopback are allowed without TLS
     * @param tls how it speaks TLS, or null when it does not
     */
    public record Listen(
            String host,
            int port,
            Access access,
            Network network,
            @Nullable Secure tls) {

        /** Where it is reached, under a host and at a port. */
        public URI url(String name, int number) {
            String shown = name.contains(":") ? "[" + name + "]" : name;
            return URI.create((tls == null ? "http://" : "https://") + shown + ":" + number);
        }
    }

    /**
     * TLS on the port. The files are followed while the hub runs.
     *
     * @param certificate PEM file of the chain
     * @param key PEM file of its key
     * @param clientAuthorities PEM file of those who issue client certificates, or null
     * @param clients {@code none}, {@code optional} or {@code required}
     * @param handshakeMs how long a handshake may take
     */
    public record Secure(
            Path certificate, Path key, @Nullable Path clientAuthorities, String clients, long handshakeMs) {}

    /** Which addresses may be bound. */
    public enum Network {
        LOOPBACK_ONLY,
        INSECURE_ALLOWED
    }

    /**
     * Sizes of an event.
     *
     * @param payloadBytes of its payload
     * @param depth of its nesting
     * @param nameBytes of an id or name
     * @param staleEvents {@code flag} or {@code reject}: what happens to events that arrive past their window
     * @param budgets {@code enforce} or {@code refuse}: whether budgets are enforced, or none may be set
     */
    public record Limits(int payloadBytes, int depth, int nameBytes, String staleEvents, String budgets) {}

    /**
     * Bounds of sessions.
     *
     * @param max live ones
     * @param perIdentity live ones of one identity
     * @param perConnection those that share a connection
     * @param conformanceSpaces conformance sessions at a time (D24)
     * @param resumeWindowMs how long one outlives its connection (D8)
     * @param readyTimeoutMs how long one may stay unconfirmed
     */
    public record Sessions(
            int max,
            int perIdentity,
            int perConnection,
            int conformanceSpaces,
            long resumeWindowMs,
            long readyTimeoutMs) {}

    /**
     * Bounds of subscriptions.
     *
     * @param max of the hub
     * @param perSession of one session
     * @param maxInFlight deliveries that may be unacknowledged
     * @param windowBytes the same in bytes
     */
    public record Subscriptions(int max, int perSession, int maxInFlight, long windowBytes) {}

    /**
     * Rules for tasks (§5, D31).
     *
     * @param timeoutMs 0 for no limit
     * @param leaseMs how long a silent owner keeps a task
     * @param minLeaseMs shortest lease that can be asked for
     * @param cancelGraceMs time to confirm a cancellation
     * @param offlineTargetMs wait for a target that is away
     * @param orphans {@code cancel} or {@code run}
     * @param onSessionClosed {@code fail}, {@code cancel} or {@code continue}
     * @param kept how long ended ones are remembered
     * @param bounds of trees and of the whole
     */
    public record Tasks(
            long timeoutMs,
            long leaseMs,
            long minLeaseMs,
            long cancelGraceMs,
            long offlineTargetMs,
            String orphans,
            String onSessionClosed,
            Kept kept,
            TaskBounds bounds) {}

    /** How long ended tasks are remembered: in full, by their id, and how many. */
    public record Kept(long detailMs, long keepMs, int keepCount) {}

    /** Live children of a task, levels of a tree, live tasks of a tenant. */
    public record TaskBounds(int children, int depth, int live) {}

    /** A bound on history: events, bytes and age. */
    public record History(long events, long bytes, long ageMs) {}

    /**
     * Bounds of the audit of what left the history.
     *
     * @param bytes most bytes, 0 keeps nothing
     * @param ageMs greatest age in milliseconds
     */
    public record Audit(long bytes, long ageMs) {}

    /**
     * Sizes of the log.
     *
     * @param segmentBytes of one file
     * @param backlogBytes waiting for the disk before publishing stops
     * @param memoryBytes kept without a data folder
     */
    public record Journal(int segmentBytes, int backlogBytes, long memoryBytes) {}

    /** Bytes of newest events at hand, and events remembered against repeated publishing. */
    public record Memory(long ringBytes, int duplicates) {}

    /**
     * Bounds of the port.
     *
     * @param origins browser origins let in
     * @param trustedHosts names of this machine besides localhost
     * @param connections how many connections, and how fast
     * @param sizes of requests and of what waits to be sent
     * @param times of connections
     */
    public record Http(
            List<String> origins, List<String> trustedHosts, Connections connections, Sizes sizes, Times times) {
        public Http {
            origins = List.copyOf(origins);
            trustedHosts = List.copyOf(trustedHosts);
        }
    }

    /**
     * Where gRPC is served, and its bounds.
     *
     * @param port port to bind, 0 for a free one, -1 for none
     * @param ifTaken what happens when the port is taken
     * @param streams calls at a time
     * @param perConnection calls at a time of one connection
     * @param messageBytes largest message
     * @param queueBytes bytes that may wait for one reader
     * @param keepAliveMs silence before a connection is probed
     * @param keepAliveTimeoutMs how long the answer may take
     * @param tls files of its certificate, or null
     */
    public record Grpc(
            int port,
            IfTaken ifTaken,
            int streams,
            int perConnection,
            int messageBytes,
            int queueBytes,
            long keepAliveMs,
            long keepAliveTimeoutMs,
            @Nullable Tls tls) {

        /** Whether it is served. */
        public boolean isOn() {
            return port >= 0;
        }
    }

    /** Files in PEM: a certificate, its key, and what vouches for clients, or null. */
    public record Tls(Path certificate, Path key, @Nullable Path clientAuthority) {}

    /** What happens when a port is taken. */
    public enum IfTaken {
        /** The hub does not start: somebody asked for that port. */
        FAIL,
        /** A free one is taken: nobody asked for that one. */
        MOVE
    }

    /** Open connections, and new ones a second and at once. */
    public record Connections(int max, int perSecond, int burst) {}

    /** Bytes of headers, of bodies, and of unsent output that pause and that end a reader. */
    public record Sizes(int header, int body, int highWatermark, int hardCap) {}

    /** Milliseconds of a request, an idle connection, a WebSocket without session, a stalled reader, and so on. */
    public record Times(
            long request,
            long keepAlive,
            long open,
            long stall,
            long closeGrace,
            long streamHeartbeat,
            long longPoll) {}

    /** Whether the host is an address of this machine only. */
    public boolean isLoopback() {
        return Loopback.is(listen.host());
    }
}

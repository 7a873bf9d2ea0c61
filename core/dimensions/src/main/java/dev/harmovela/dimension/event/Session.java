package dev.harmovela.dimension.event;

import dev.harmovela.contract.In;
import dev.harmovela.contract.Out;
import dev.harmovela.contract.json.Json;

/**
 * A client's seat at the hub (§3).
 *
 * @param id assigned by the hub, or chosen by a client-sent {@code session.opened} (D27)
 * @param tenant whose events it may see
 * @param identity who opened it; only that identity may resume it
 * @param transport short name of the transport profile it was opened on
 * @param capabilities what both sides agreed on, as told in {@code session.opened}
 * @param openedAt epoch milliseconds
 * @param endedAt epoch milliseconds, 0 while it lives
 * @param endReason why it ended, empty while it lives
 */
public record Session(
        String id,
        String tenant,
        String identity,
        SessionState state,
        String transport,
        Json.Obj capabilities,
        long openedAt,
        long endedAt,
        String endReason) {

    /** A fresh session in state OPENED. */
    public static Session opened(
            String id, String tenant, String identity, String transport, Json.Obj capabilities, long now) {
        return new Session(id, tenant, identity, SessionState.OPENED, transport, capabilities, now, 0, "");
    }

    Session ready() {
        return new Session(
                id,
                tenant,
                identity,
                SessionLifecycle.after(state, SessionLifecycle.Step.READY),
                transport,
                capabilities,
                openedAt,
                endedAt,
                endReason);
    }

    Session ended(SessionState end, long at, String reason) {
        return new Session(id, tenant, identity, end, transport, capabilities, openedAt, at, reason);
    }

    /** Agreed heartbeat interval in milliseconds, 0 when none was agreed. */
    public long heartbeatMillis() {
        Long interval = capabilities.integer("heartbeat_interval_ms");
        return interval == null ? 0 : interval;
    }

    void write(Out out) {
        out.string(id);
        out.string(tenant);
        out.string(identity);
        out.varint(state.ordinal());
        out.string(transport);
        out.string(capabilities.toString());
        out.varint(openedAt);
        out.varint(endedAt);
        out.string(endReason);
    }

    static Session read(In in) {
        return new Session(
                in.string(),
                in.string(),
                in.string(),
                SessionState.values()[(int) in.varint()],
                in.string(),
                (Json.Obj) Json.parse(in.string()),
                in.varint(),
                in.varint(),
                in.string());
    }
}

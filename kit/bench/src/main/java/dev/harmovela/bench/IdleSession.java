package dev.harmovela.bench;

/** A session that does nothing. */
final class IdleSession extends HubWire {

    IdleSession(Loop loop, int port, int number) {
        super(loop, port, "agent:idle-" + number, "");
    }

    @Override
    void text(byte[] bytes, int from, int to) {
        throw unexpected(bytes, from, to, 0);
    }
}

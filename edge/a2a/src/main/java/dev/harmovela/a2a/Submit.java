package dev.harmovela.a2a;

import dev.harmovela.contract.ErrorCode;
import dev.harmovela.contract.ProtocolError;
import dev.harmovela.contract.json.Json;
import dev.harmovela.contract.json.JsonException;
import dev.harmovela.spi.Caller;
import dev.harmovela.spi.CloseReason;
import dev.harmovela.spi.Connection;
import dev.harmovela.spi.Hub;
import dev.harmovela.spi.Message;
import dev.harmovela.spi.Peer;
import dev.harmovela.spi.WireInfo;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Sends one event to the hub in a caller's name and hears the hub's answer once. On the hub's executor only. */
final class Submit implements Peer {

    private final Loop loop;
    private final Consumer<@Nullable ProtocolError> done;
    private @Nullable Connection connection;
    private boolean over;

    private Submit(Loop loop, Consumer<@Nullable ProtocolError> done) {
        this.loop = loop;
        this.done = done;
    }

    /**
     * @param done hears null when the event is durable, or why the hub refused it
     */
    static void event(Hub hub, Loop loop, Caller caller, Json.Obj event, Consumer<@Nullable ProtocolError> done) {
        Submit submit = new Submit(loop, done);
        Connection open = hub.connect(submit, new WireInfo("a2a", caller, WireInfo.Kind.REQUEST));
        submit.connection = open;
        byte[] bytes = event.toBytes();
        open.receive(bytes, 0, bytes.length);
        open.batchEnd();
    }

    @Override
    public boolean writable() {
        return true;
    }

    @Override
    public void send(Message message) {
        if (!message.answer || over) {
            return;
        }
        byte[] bytes = message.toByteArray();
        over = true;
        loop.later(() -> finish(refusal(bytes)));
    }

    private static @Nullable ProtocolError refusal(byte[] bytes) {
        try {
            if (Json.parse(bytes, 0, bytes.length) instanceof Json.Obj answer) {
                if ("event.acknowledged".equals(answer.string("type"))) {
                    return null;
                }
                Json.Obj error = answer.object("error");
                if (error == null) {
                    error = Mapping.payload(answer).object("error");
                }
                if (error != null) {
                    return ProtocolError.parse(error);
                }
            }
        } catch (JsonException impossible) {
            throw new IllegalStateException("the hub sends JSON", impossible);
        }
        return ProtocolError.internal();
    }

    private void finish(@Nullable ProtocolError refused) {
        if (connection != null) {
            connection.closed();
            connection = null;
        }
        done.accept(refused);
    }

    @Override
    public void flush() {
        // the answer was taken when it was sent
    }

    @Override
    public void close(CloseReason reason, String text) {
        if (!over) {
            over = true;
            loop.later(() -> finish(ProtocolError.of(ErrorCode.TRANSPORT_UNAVAILABLE, "the hub ended the wire")));
        }
    }
}

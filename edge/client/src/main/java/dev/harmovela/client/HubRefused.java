package dev.harmovela.client;

import dev.harmovela.contract.ErrorCode;
import dev.harmovela.contract.ProtocolError;
import dev.harmovela.contract.json.Json;

/** The hub understood and said no. Carries its error and the event that brought it. */
public final class HubRefused extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final transient ProtocolError error;
    private final transient Json.Obj answer;

    HubRefused(ProtocolError error, Json.Obj answer) {
        super(error.code().wire() + ": " + error.message());
        this.error = error;
        this.answer = answer;
    }

    /** Why. */
    public ProtocolError error() {
        return error;
    }

    /** The whole refusing event. */
    public Json.Obj answer() {
        return answer;
    }

    /** Takes the error from where §8 puts it. */
    static HubRefused from(Json.Obj answer) {
        Json.Obj payload = answer.object("payload");
        Json.Obj error = payload == null ? null : payload.object("error");
        if (error == null) {
            error = answer.object("error");
        }
        return new HubRefused(
                error == null
                        ? ProtocolError.of(ErrorCode.PROTOCOL_ERROR, "refused without an error")
                        : ProtocolError.parse(error),
                answer);
    }
}

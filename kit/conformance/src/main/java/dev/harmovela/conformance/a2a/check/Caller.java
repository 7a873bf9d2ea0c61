package dev.harmovela.conformance.a2a.check;

import dev.harmovela.conformance.a2a.wire.Client;
import dev.harmovela.conformance.a2a.wire.EventStream;
import dev.harmovela.conformance.a2a.wire.Opened;
import dev.harmovela.conformance.a2a.wire.Request;
import dev.harmovela.conformance.a2a.wire.WireException;
import dev.harmovela.contract.json.Json;
import java.util.Map;
import java.util.function.UnaryOperator;

/** Calls operations at one interface of an agent, in its binding. Any thread. */
abstract class Caller {

    static final String VERSION = "A2A-Version";
    static final String EXTENSIONS = "A2A-Extensions";

    final AgentInterface at;
    private final Client client;
    private final UnaryOperator<Request> tuning;

    Caller(AgentInterface at, Client client, UnaryOperator<Request> tuning) {
        this.at = at;
        this.client = client;
        this.tuning = tuning;
    }

    /** Tells the bindings apart. */
    static Caller of(AgentInterface at, Client client, UnaryOperator<Request> tuning) {
        return switch (at.binding()) {
            case AgentInterface.REST -> new RestCaller(at, client, tuning);
            case AgentInterface.GRPC -> new GrpcCaller(at, client, tuning);
            default -> new JsonRpcCaller(at, client, tuning);
        };
    }

    /** Calls an operation. */
    final Reply call(Operation operation, Json.Obj params) throws WireException {
        return read(operation, client.send(request(operation, params)));
    }

    /** Calls an operation that streams. */
    final Feed stream(Operation operation, Json.Obj params) throws WireException {
        Request request = request(operation, params).with(Map.of("Accept", "text/event-stream"));
        Opened opened = client.open(tuning.apply(request));
        EventStream events = opened.events();
        return events == null ? Feed.refused(read(operation, opened.head())) : new Feed(opened.head(), events, this);
    }

    /** Sends what is no proper call; the answer as it comes. */
    final Reply raw(Request request) throws WireException {
        return read(Operation.GET, client.send(request));
    }

    /** The request of an operation, ready to be sent or to be spoilt. */
    final Request request(Operation operation, Json.Obj params) {
        return tuning.apply(built(operation, params).with(Map.of(VERSION, majorMinor(at.version()))));
    }

    private static String majorMinor(String version) {
        String[] parts = version.split("\\.", 3);
        return parts.length < 2 ? version : parts[0] + "." + parts[1];
    }

    /** A caller whose requests are changed in this way before they are sent. */
    final Caller tuned(UnaryOperator<Request> change) {
        return of(at, client, request -> change.apply(tuning.apply(request)));
    }

    /** A caller for the same address with another tenant. */
    final Caller asTenant(String tenant) {
        return of(new AgentInterface(at.url(), at.binding(), at.version(), tenant), client, tuning);
    }

    boolean isRest() {
        return this instanceof RestCaller;
    }

    boolean isGrpc() {
        return this instanceof GrpcCaller;
    }

    boolean isJsonRpc() {
        return this instanceof JsonRpcCaller;
    }

    /** The request before it is tuned. */
    abstract Request built(Operation operation, Json.Obj params);

    /** Reads an answer. */
    abstract Reply read(Operation operation, dev.harmovela.conformance.a2a.wire.Answer answer);

    /** The {@code StreamResponse} in an event's data, or the refusal in it. */
    abstract Reply event(String data);
}

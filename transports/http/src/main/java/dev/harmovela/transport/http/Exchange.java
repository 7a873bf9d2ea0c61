package dev.harmovela.transport.http;

import dev.harmovela.contract.ProtocolError;
import dev.harmovela.contract.json.Json;
import dev.harmovela.spi.Caller;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.DefaultHttpHeaders;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpRequest;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * One request and its one answer. Used on the event loop only; the answer may be given at once or later. Whatever
 * is answered after the first answer, or after the client left, is dropped.
 */
public final class Exchange {

    /** The type of every JSON answer. */
    public static final String JSON = "application/json";

    /** What a response that does not end hears about its connection. */
    interface Stream {
        void writabilityChanged();

        void closed();
    }

    private final RequestHandler handler;
    private final HttpRequest request;
    private final Target target;
    private final HttpHeaders extraHeaders = new DefaultHttpHeaders();
    private Caller caller = Caller.open();
    private List<String> arguments = List.of();
    private byte[] body = {};
    private boolean answered;
    private @Nullable Runnable onLeft;

    Exchange(RequestHandler handler, HttpRequest request, Target target) {
        this.handler = handler;
        this.request = request;
        this.target = target;
    }

    // --- the request

    /** The verb, in capitals. */
    public String method() {
        return request.method().name();
    }

    /** The decoded path without its query. */
    public String path() {
        return target.path();
    }

    /** What stood where the route has its n-th placeholder, decoded. */
    public String argument(int index) {
        return arguments.get(index);
    }

    /** The first value of a query parameter, or null. */
    public @Nullable String query(String name) {
        List<String> values = target.query().get(name);
        return values == null || values.isEmpty() ? null : values.getFirst();
    }

    /** All query parameters. */
    public Map<String, List<String>> query() {
        return target.query();
    }

    /** The first value of a header, or null. */
    public @Nullable String header(String name) {
        return request.headers().get(name);
    }

    /** The whole body. Not to be modified. */
    public byte[] body() {
        return body;
    }

    /** Who asks. */
    public Caller caller() {
        return caller;
    }

    // --- the answer

    /** Adds a header to the answer that follows. */
    public Exchange with(String name, String value) {
        extraHeaders.set(name, value);
        return this;
    }

    /** Answers with bytes of the given media type. */
    public void respond(int status, String contentType, byte[] content) {
        if (!answered) {
            answered = true;
            extraHeaders.set(HttpHeaderNames.CONTENT_TYPE, contentType);
            handler.respond(this, status, content);
        }
    }

    /** Answers with a JSON object. */
    public void json(int status, Json.Obj content) {
        respond(status, JSON, content.toString().getBytes(StandardCharsets.UTF_8));
    }

    /** Answers that the request was not accepted, and why (D34). */
    public void fail(int status, ProtocolError error) {
        fail(status, List.of(error));
    }

    /** Answers that the request was not accepted, and all reasons (D34). */
    public void fail(int status, List<ProtocolError> errors) {
        if (status == 429 || status == 503) {
            with("Retry-After", Integer.toString(Admission.retryAfterSeconds()));
        }
        List<Json> reasons = errors.stream().map(error -> (Json) error.toJson()).toList();
        json(
                status,
                Json.Obj.builder()
                        .put("accepted", false)
                        .put("errors", new Json.Arr(reasons))
                        .build());
    }

    /**
     * Begins an answer of server-sent events instead of a single one.
     *
     * @param onClosed runs once when the connection is gone
     */
    public EventAnswer events(Runnable onClosed) {
        return EventAnswer.begin(this, handler.config(), onClosed);
    }

    /** Runs {@code task} if the client goes away before the answer was given. */
    public void whenLeft(Runnable task) {
        onLeft = task;
    }

    // --- for this package

    /** Begins an answer that does not end by itself; false when the client has left. */
    boolean stream(Stream stream) {
        if (answered) {
            return false;
        }
        answered = true;
        return handler.beginStream(this, stream);
    }

    void endStream() {
        handler.endStream();
    }

    /** Marks the exchange as answered by other means than this class. */
    void takeOver() {
        answered = true;
    }

    void left() {
        answered = true;
        if (onLeft != null) {
            onLeft.run();
            onLeft = null;
        }
    }

    void from(Caller who) {
        caller = who;
    }

    void matched(List<String> found) {
        arguments = found;
    }

    void body(byte[] bytes) {
        body = bytes;
    }

    HttpRequest request() {
        return request;
    }

    HttpHeaders extraHeaders() {
        return extraHeaders;
    }

    RequestHandler handler() {
        return handler;
    }

    /** Runs a task on the loop, never within the call. */
    Executor later() {
        return context().channel().eventLoop();
    }

    ChannelHandlerContext context() {
        return Objects.requireNonNull(handler.context());
    }
}

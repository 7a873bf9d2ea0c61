package dev.harmovela.transport.http;

import dev.harmovela.contract.ErrorCode;
import dev.harmovela.contract.ProtocolError;
import dev.harmovela.contract.json.Json;
import dev.harmovela.spi.Caller;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.DefaultHttpResponse;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.ReferenceCountUtil;
import java.io.ByteArrayOutputStream;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The requests of one connection, one after the other: gathers, checks, hands over, answers. On the loop only. */
final class RequestHandler extends ChannelInboundHandlerAdapter {

    private enum State {
        /** Between two requests. */
        IDLE,
        /** A request's body is coming in. */
        BODY,
        /** The answer is given already; the rest of the request is read and dropped. */
        SKIP,
        /** A handler works on the answer. */
        WORKING,
        /** An answer without an end flows. */
        STREAM,
        /** The last answer was given; what still comes is dropped until the client closes. */
        LINGER
    }

    /** Messages that a client may send ahead before it is no longer read. */
    private static final int MAX_AHEAD = 64;

    private final Port port;
    private final boolean busy;
    private final Deque<Object> ahead = new ArrayDeque<>();
    private State state = State.IDLE;
    private @Nullable ChannelHandlerContext context;
    private @Nullable Deadline deadline;
    private @Nullable Exchange exchange;
    private Exchange.@Nullable Stream stream;
    private @Nullable Handler handler;
    private ByteArrayOutputStream body = new ByteArrayOutputStream(0);
    /** Bytes of the current request may still come, so the connection can not be used again. */
    private boolean hasRemainder;

    private boolean pumping;

    /** @param busy whether every request here is answered 503 */
    RequestHandler(Port port, boolean busy) {
        this.port = port;
        this.busy = busy;
    }

    // --- Netty

    @Override
    public void handlerAdded(ChannelHandlerContext added) {
        context = added;
        deadline = new Deadline(added.channel().eventLoop(), this::timeUp);
        deadline.in(port.config().times().requestMillis());
    }

    @Override
    public void channelRead(ChannelHandlerContext on, Object message) {
        if (state == State.WORKING || !ahead.isEmpty()) {
            ahead.add(message);
            if (ahead.size() >= MAX_AHEAD) {
                on.channel().config().setAutoRead(false);
            }
            return;
        }
        take(message);
    }

    private void take(Object message) {
        try {
            if (message instanceof HttpRequest request && state == State.IDLE) {
                begin(request);
            }
            if (message instanceof HttpContent content) {
                switch (state) {
                    case BODY -> gather(content);
                    case SKIP -> skip(content);
                    case IDLE, WORKING, STREAM, LINGER -> {
                        // nothing that belongs to a request
                    }
                }
            }
        } finally {
            ReferenceCountUtil.release(message);
        }
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext on) {
        if (stream != null) {
            stream.writabilityChanged();
        }
        on.fireChannelWritabilityChanged();
    }

    @Override
    public void channelInactive(ChannelHandlerContext on) {
        leave();
        on.fireChannelInactive();
    }

    @Override
    public void handlerRemoved(ChannelHandlerContext on) {
        leave();
    }

    private void leave() {
        Objects.requireNonNull(deadline).cancel();
        Exchange.Stream flowing = stream;
        stream = null;
        if (flowing != null) {
            flowing.closed();
        }
        Exchange open = exchange;
        exchange = null;
        if (open != null && state != State.STREAM) {
            open.left();
        }
        while (!ahead.isEmpty()) {
            ReferenceCountUtil.release(ahead.poll());
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext on, Throwable cause) {
        Log.connectionFailed(on.channel(), cause);
        var _ = on.close();
    }

    private void timeUp() {
        if (state == State.BODY) {
            hasRemainder = true;
            fail(408, ProtocolError.of(ErrorCode.TIMEOUT, "the request did not arrive in time"));
        } else if (state != State.WORKING && state != State.STREAM) {
            var _ = on().close();
        }
    }

    /** Closes the connection when it waits for its next request. */
    void closeIdle() {
        if (state == State.IDLE) {
            var _ = on().close();
        }
    }

    // --- a request comes in

    private void begin(HttpRequest request) {
        deadline().in(port.config().times().requestMillis());
        Target target = request.decoderResult().isSuccess() ? Target.parse(request.uri()) : null;
        hasRemainder = HttpUtil.isTransferEncodingChunked(request) || HttpUtil.getContentLength(request, 0L) > 0;
        if (target == null) {
            hasRemainder = true;
            exchange = new Exchange(this, request, new Target("/", List.of(), Map.of()));
            state = State.SKIP;
            fail(undecodable(request), ProtocolError.of(ErrorCode.PROTOCOL_ERROR, "this is not an HTTP request"));
            return;
        }
        Exchange opened = new Exchange(this, request, target);
        exchange = opened;
        state = State.SKIP;
        if (busy) {
            hasRemainder = true;
            fail(503, ProtocolError.of(ErrorCode.BUSY, "too many connections; try again later"));
            return;
        }
        Handler found = admit(opened, request, target);
        if (found == null) {
            return;
        }
        handler = found;
        body = new ByteArrayOutputStream(0);
        state = State.BODY;
        if (HttpUtil.is100ContinueExpected(request)) {
            var _ = on().writeAndFlush(new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.CONTINUE));
        }
    }

    /** The checks in their order; null when one of them has answered. */
    private @Nullable Handler admit(Exchange opened, HttpRequest request, Target target) {
        HttpHeaders headers = request.headers();
        String origin = headers.get(HttpHeaderNames.ORIGIN);
        String host = headers.get(HttpHeaderNames.HOST);
        Guard guard = port.guard();
        Guard.Refusal refusal = guard.address(target);
        if (refusal == null) {
            refusal = guard.origin(origin, host);
        }
        if (refusal != null) {
            fail(refusal.status(), refusal.error());
            return null;
        }
        if (origin != null && guard.isConfigured(origin)) {
            allowOrigin(opened, origin);
        }
        Router.Match match = port.router().find(target.segments());
        if (opened.method().equals("OPTIONS") && match != null) {
            opened.with("Allow", match.route().allow());
            if (origin != null && guard.isConfigured(origin)) {
                allowPreflight(opened, match.route());
            }
            opened.respond(204, "text/plain", new byte[0]);
            return null;
        }
        if (match == null || !match.route().needsNoCredential()) {
            Caller caller = guard.caller(headers.get(HttpHeaderNames.AUTHORIZATION), Tls.clientOf(on().channel()));
            if (caller == null) {
                opened.with("WWW-Authenticate", "Bearer realm=\"harmovela\"");
                ProtocolError nobody = ProtocolError.of(ErrorCode.UNAUTHENTICATED, "a valid bearer token is needed");
                turnedAway(opened, match, nobody);
                fail(401, nobody);
                return null;
            }
            refusal = guard.host(caller, host);
            if (refusal != null) {
                fail(refusal.status(), refusal.error());
                return null;
            }
            opened.from(caller);
        }
        return route(opened, request, match);
    }

    private void turnedAway(Exchange opened, Router.@Nullable Match match, ProtocolError error) {
        String address =
                opened.method() + ' ' + (match == null ? "?" : match.route().address());
        port.hub().executor().execute(() -> port.hub().turnedAway("http", address, error));
    }

    private @Nullable Handler route(Exchange opened, HttpRequest request, Router.@Nullable Match match) {
        if (match == null) {
            fail(404, ProtocolError.of(ErrorCode.NOT_SUPPORTED, "nothing is served at this address"));
            return null;
        }
        Handler found = match.route().handler(opened.method());
        if (found == null) {
            opened.with("Allow", match.route().allow());
            fail(405, ProtocolError.of(ErrorCode.NOT_SUPPORTED, opened.method() + " is not possible here"));
            return null;
        }
        int limit = port.config().limits().maxBodyBytes();
        if (HttpUtil.getContentLength(request, 0L) > limit) {
            failTooLarge(limit);
            return null;
        }
        opened.matched(match.arguments());
        return found;
    }

    private void gather(HttpContent content) {
        int limit = port.config().limits().maxBodyBytes();
        int length = content.content().readableBytes();
        if (!content.decoderResult().isSuccess()) {
            hasRemainder = true;
            fail(400, ProtocolError.of(ErrorCode.PROTOCOL_ERROR, "the body is not framed as announced"));
            return;
        }
        if (body.size() + length > limit) {
            failTooLarge(limit);
            return;
        }
        if (length > 0) {
            byte[] piece = new byte[length];
            content.content().readBytes(piece);
            body.writeBytes(piece);
        }
        if (content instanceof LastHttpContent) {
            hasRemainder = false;
            work();
        }
    }

    private void skip(HttpContent content) {
        if (content instanceof LastHttpContent) {
            idle();
        }
    }

    private void work() {
        Exchange open = Objects.requireNonNull(exchange);
        open.body(body.toByteArray());
        body = new ByteArrayOutputStream(0);
        state = State.WORKING;
        deadline().off();
        try {
            Objects.requireNonNull(handler).handle(open);
        } catch (RuntimeException failure) {
            Log.requestFailed(open.path(), failure);
            open.fail(500, ProtocolError.of(ErrorCode.INTERNAL_ERROR, "internal error"));
        }
    }

    private void failTooLarge(int limit) {
        hasRemainder = true;
        fail(
                413,
                ProtocolError.of(ErrorCode.PAYLOAD_TOO_LARGE, "a request body may have " + limit + " bytes")
                        .with("limit", new Json.Num(Integer.toString(limit))));
    }

    private void fail(int status, ProtocolError error) {
        Objects.requireNonNull(exchange).fail(status, error);
    }

    // --- the answer goes out

    /** Called once per exchange. */
    void respond(Exchange from, int status, byte[] content) {
        if (from != exchange || context == null) {
            return;
        }
        HttpResponse response = new DefaultFullHttpResponse(
                HttpVersion.HTTP_1_1, HttpResponseStatus.valueOf(status), Unpooled.wrappedBuffer(content));
        boolean keepAlive = !hasRemainder && !port.draining() && HttpUtil.isKeepAlive(from.request());
        setHeaders(response.headers(), from);
        if (status == 204) {
            response.headers().remove(HttpHeaderNames.CONTENT_TYPE);
        } else {
            response.headers().setInt(HttpHeaderNames.CONTENT_LENGTH, content.length);
        }
        response.headers()
                .set(HttpHeaderNames.CONNECTION, keepAlive ? HttpHeaderValues.KEEP_ALIVE : HttpHeaderValues.CLOSE);
        ChannelFuture written = on().writeAndFlush(response);
        State before = state;
        exchange = null;
        if (!keepAlive) {
            linger(written);
        } else if (before == State.WORKING) {
            idle();
        } else {
            state = State.SKIP;
        }
    }

    private static void setHeaders(HttpHeaders headers, Exchange from) {
        headers.set(HttpHeaderNames.CACHE_CONTROL, "no-store");
        headers.set("X-Content-Type-Options", "nosniff");
        headers.set(from.extraHeaders());
    }

    /** Ready for the next request, which may have come already. */
    private void idle() {
        state = State.IDLE;
        deadline().in(port.config().times().keepAliveMillis());
        if (ahead.isEmpty()) {
            on().channel().config().setAutoRead(true);
        } else if (!pumping) {
            // the answer may have come from within a call of the hub, which must not get the next request there
            pumping = true;
            on().channel().eventLoop().execute(this::takeAhead);
        }
    }

    private void takeAhead() {
        while (state != State.WORKING && !ahead.isEmpty()) {
            take(Objects.requireNonNull(ahead.poll()));
        }
        pumping = false;
        if (ahead.isEmpty()) {
            on().channel().config().setAutoRead(true);
        }
    }

    /** A connection that is closed while bytes come in takes the answer with it, so our half closes first. */
    private void linger(ChannelFuture written) {
        state = State.LINGER;
        on().channel().config().setAutoRead(true);
        deadline().in(port.config().times().closeGraceMillis());
        if (hasRemainder) {
            written.addListener(done -> {
                Tls.endOutput(on().channel());
            });
        } else {
            written.addListener(ChannelFutureListener.CLOSE);
        }
    }

    boolean beginStream(Exchange from, Exchange.Stream flowing) {
        if (from != exchange || !on().channel().isActive()) {
            return false;
        }
        HttpResponse response = new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK);
        response.headers().set(from.extraHeaders());
        response.headers().set(HttpHeaderNames.CONTENT_TYPE, "text/event-stream");
        response.headers().set(HttpHeaderNames.CACHE_CONTROL, "no-cache");
        response.headers().set("X-Accel-Buffering", "no");
        response.headers().set("X-Content-Type-Options", "nosniff");
        response.headers().set(HttpHeaderNames.CONNECTION, HttpHeaderValues.CLOSE);
        if (from.request().protocolVersion().isKeepAliveDefault()) {
            HttpUtil.setTransferEncodingChunked(response, true);
        }
        state = State.STREAM;
        stream = flowing;
        var _ = on().write(response);
        return true;
    }

    void endStream() {
        if (state == State.STREAM) {
            linger(on().writeAndFlush(LastHttpContent.EMPTY_LAST_CONTENT));
        }
    }

    private static void allowOrigin(Exchange opened, String origin) {
        opened.with("Access-Control-Allow-Origin", origin).with("Vary", "Origin");
    }

    private static void allowPreflight(Exchange opened, Router.Route route) {
        opened.with("Access-Control-Allow-Methods", route.allow())
                .with("Access-Control-Allow-Headers", "Authorization, Content-Type, Last-Event-ID")
                .with("Access-Control-Max-Age", "600");
    }

    private static int undecodable(HttpRequest request) {
        Throwable cause = request.decoderResult().cause();
        String kind = cause == null ? "" : cause.getClass().getSimpleName();
        return switch (kind) {
            case "TooLongHttpLineException" -> 414;
            case "TooLongHttpHeaderException" -> 431;
            default -> 400;
        };
    }

    @Nullable ChannelHandlerContext context() {
        return context;
    }

    HttpConfig config() {
        return port.config();
    }

    private ChannelHandlerContext on() {
        return Objects.requireNonNull(context);
    }

    private Deadline deadline() {
        return Objects.requireNonNull(deadline);
    }
}

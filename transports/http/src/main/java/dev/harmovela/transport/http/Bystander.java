package dev.harmovela.transport.http;

import dev.harmovela.contract.ErrorCode;
import dev.harmovela.contract.ProtocolError;
import dev.harmovela.contract.json.Json;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.util.ReferenceCountUtil;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Answers one request in place of a loop that stands still (OBS-01): that the process lives, that it is not ready
 * and why, and to everything else that it should be asked again later. Knows nothing of the hub. On the loop
 * beside.
 */
final class Bystander extends ChannelInboundHandlerAdapter {

    private static final int SECONDS = 5;

    private final Port port;

    Bystander(Port port) {
        this.port = port;
    }

    @Override
    public void handlerAdded(ChannelHandlerContext on) {
        on.executor().schedule(() -> on.close(), SECONDS, TimeUnit.SECONDS);
    }

    @Override
    public void channelRead(ChannelHandlerContext on, Object message) {
        try {
            if (message instanceof HttpRequest request) {
                on.writeAndFlush(answer(request.uri())).addListener(ChannelFutureListener.CLOSE);
            }
        } finally {
            ReferenceCountUtil.release(message);
        }
    }

    private FullHttpResponse answer(String uri) {
        int end = uri.indexOf('?');
        String path = end < 0 ? uri : uri.substring(0, end);
        return switch (path) {
            case "/healthz", Routes.API + "/healthz" -> json(200, port.about().with("status", Json.of("ok")));
            case "/readyz", Routes.API + "/readyz" ->
                json(Statuses.UNAVAILABLE, port.readiness().told(port.draining()));
            default -> json(Statuses.UNAVAILABLE, busy());
        };
    }

    private static Json.Obj busy() {
        ProtocolError error = ProtocolError.of(ErrorCode.BUSY, "the hub stands still; try again later");
        return Json.Obj.builder()
                .put("accepted", false)
                .put("errors", new Json.Arr(List.of(error.toJson())))
                .build();
    }

    private static FullHttpResponse json(int status, Json.Obj body) {
        byte[] bytes = body.toString().getBytes(StandardCharsets.UTF_8);
        FullHttpResponse response = new DefaultFullHttpResponse(
                HttpVersion.HTTP_1_1, HttpResponseStatus.valueOf(status), Unpooled.wrappedBuffer(bytes));
        response.headers()
                .set(HttpHeaderNames.CONTENT_TYPE, Exchange.JSON)
                .setInt(HttpHeaderNames.CONTENT_LENGTH, bytes.length)
                .set(HttpHeaderNames.CONNECTION, HttpHeaderValues.CLOSE);
        if (status == Statuses.UNAVAILABLE) {
            response.headers().setInt(HttpHeaderNames.RETRY_AFTER, Admission.retryAfterSeconds());
        }
        return response;
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext on, Throwable cause) {
        Log.connectionFailed(on.channel(), cause);
        var _ = on.close();
    }
}

package dev.harmovela.transport.http;

import dev.harmovela.contract.ErrorCode;
import dev.harmovela.contract.ProtocolError;
import dev.harmovela.spi.WireInfo;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPipeline;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/**
 * The WebSocket handshake (RFC 6455 section 4). The subprotocol is required (§13); no extension is taken, so that
 * no message grows behind its announced length.
 */
final class Upgrade implements Handler {

    /** Name of the HTTP codec in the pipeline; it leaves with the handshake. */
    static final String CODEC = "http";

    /** The one subprotocol. */
    static final String SUBPROTOCOL = "harmovela-0.2";

    private static final String GUID = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
    private static final String VERSION = "13";
    private static final int KEY_BYTES = 16;

    private final Port port;

    Upgrade(Port port) {
        this.port = port;
    }

    @Override
    public void handle(Exchange exchange) {
        HttpHeaders headers = exchange.request().headers();
        if (!headers.containsValue(HttpHeaderNames.UPGRADE, HttpHeaderValues.WEBSOCKET, true)
                || !headers.containsValue(HttpHeaderNames.CONNECTION, HttpHeaderValues.UPGRADE, true)) {
            exchange.with("Upgrade", "websocket");
            exchange.fail(426, refused("this address speaks WebSocket"));
            return;
        }
        if (!VERSION.equals(headers.get(HttpHeaderNames.SEC_WEBSOCKET_VERSION))) {
            exchange.with("Sec-WebSocket-Version", VERSION);
            exchange.fail(426, refused("WebSocket version " + VERSION + " is spoken here"));
            return;
        }
        if (!headers.containsValue(HttpHeaderNames.SEC_WEBSOCKET_PROTOCOL, SUBPROTOCOL, false)) {
            exchange.fail(400, refused("the subprotocol " + SUBPROTOCOL + " is required (Sec-WebSocket-Protocol)"));
            return;
        }
        String accept = acceptOf(headers.get(HttpHeaderNames.SEC_WEBSOCKET_KEY));
        if (accept == null) {
            exchange.fail(400, refused("Sec-WebSocket-Key is not 16 bytes of base64"));
            return;
        }
        if (port.draining()) {
            exchange.fail(503, HttpServer.drainingError());
            return;
        }
        upgrade(exchange, accept);
    }

    private void upgrade(Exchange exchange, String accept) {
        exchange.takeOver();
        ChannelHandlerContext context = exchange.context();
        FullHttpResponse response =
                new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.SWITCHING_PROTOCOLS);
        response.headers()
                .set(exchange.extraHeaders())
                .set(HttpHeaderNames.UPGRADE, HttpHeaderValues.WEBSOCKET)
                .set(HttpHeaderNames.CONNECTION, HttpHeaderValues.UPGRADE)
                .set(HttpHeaderNames.SEC_WEBSOCKET_ACCEPT, accept)
                .set(HttpHeaderNames.SEC_WEBSOCKET_PROTOCOL, SUBPROTOCOL);
        var _ = context.writeAndFlush(response);
        WireInfo info = new WireInfo("websocket", exchange.caller(), WireInfo.Kind.DUPLEX);
        ChannelPipeline pipeline = context.pipeline();
        pipeline.replace(
                exchange.handler(), "websocket", new WebSocketWire(port.hub(), info, port.config(), port.scratch()));
        pipeline.remove(CODEC);
    }

    /** The proof that we understood the client's key, or null when it is none. */
    static @Nullable String acceptOf(@Nullable String key) {
        if (key == null) {
            return null;
        }
        try {
            byte[] decoded = Base64.getDecoder().decode(key.strip());
            if (decoded.length != KEY_BYTES) {
                return null;
            }
            byte[] joined = (key.strip() + GUID).getBytes(StandardCharsets.US_ASCII);
            return Base64.getEncoder()
                    .encodeToString(MessageDigest.getInstance("SHA-1").digest(joined));
        } catch (IllegalArgumentException notBase64) {
            return null;
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException("every Java platform has SHA-1", impossible);
        }
    }

    private static ProtocolError refused(String text) {
        return ProtocolError.of(ErrorCode.PROTOCOL_ERROR, text);
    }
}

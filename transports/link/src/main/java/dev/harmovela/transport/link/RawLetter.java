package dev.harmovela.transport.link;

import dev.harmovela.contract.ProtocolError;
import dev.harmovela.contract.json.Json;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;

/** What a dead letter keeps of bytes that are no event, or that nobody can be told of (D38). */
final class RawLetter {

    /** The action of the hub that makes one. */
    static final String ACTION = "dlq.raw";

    /** How much base64 is kept. */
    private static final int KEPT_BASE64 = 64 << 10;

    private RawLetter() {}

    static Json.Obj of(LinkSettings link, Inbound message, ProtocolError error) {
        byte[] body = message.body();
        byte[] bytes = body == null ? new byte[0] : body;
        byte[] kept = bytes.length <= KEPT_BASE64 / 4 * 3 ? bytes : Arrays.copyOf(bytes, KEPT_BASE64 / 4 * 3);
        return Json.Obj.builder()
                .put("link", link.name())
                .put("transport", link.kind().wire())
                .put("place", message.place())
                .put("partition", message.partition())
                .put("position", message.position())
                .put("length", body == null ? null : Json.of(bytes.length))
                .put("sha256", body == null ? null : sha256(bytes))
                .put("base64", body == null ? null : Base64.getEncoder().encodeToString(kept))
                .put("error", error.toJson())
                .build();
    }

    private static String sha256(byte[] bytes) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException("every Java platform has SHA-256", impossible);
        }
    }
}

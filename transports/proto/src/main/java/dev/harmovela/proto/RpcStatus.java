package dev.harmovela.proto;

import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.util.JsonFormat;
import com.google.rpc.BadRequest;
import com.google.rpc.ErrorInfo;
import com.google.rpc.RetryInfo;
import com.google.rpc.Status;
import dev.harmovela.contract.json.Json;
import dev.harmovela.contract.json.JsonException;

/** {@code google.rpc.Status} as it travels in {@code grpc-status-details-bin}. */
public final class RpcStatus {

    private static final JsonFormat.TypeRegistry TYPES = JsonFormat.TypeRegistry.newBuilder()
            .add(ErrorInfo.getDescriptor())
            .add(BadRequest.getDescriptor())
            .add(RetryInfo.getDescriptor())
            .build();

    private RpcStatus() {}

    /**
     * A status as bytes.
     *
     * @param code number of the gRPC status
     * @param details members with {@code @type}: {@code ErrorInfo}, {@code BadRequest} or {@code RetryInfo}
     */
    public static byte[] toBytes(int code, String message, Json.Arr details) {
        Json.Obj json = Json.Obj.builder()
                .put("code", code)
                .put("message", message)
                .put("details", details)
                .build();
        Status.Builder status = Status.newBuilder();
        try {
            JsonFormat.parser().usingTypeRegistry(TYPES).merge(json.toString(), status);
        } catch (InvalidProtocolBufferException wrong) {
            throw new IllegalStateException("a detail is of no known type: " + wrong.getMessage(), wrong);
        }
        return status.build().toByteArray();
    }

    /**
     * A status as JSON: {@code code}, {@code message}, {@code details[]}.
     *
     * @throws ProtoMismatch when the bytes are none, or a detail is of a type that is not known
     */
    public static Json.Obj toJson(byte[] bytes) throws ProtoMismatch {
        try {
            String text = JsonFormat.printer().usingTypeRegistry(TYPES).print(Status.parseFrom(bytes));
            return Json.parse(text) instanceof Json.Obj object ? object : Json.Obj.of();
        } catch (InvalidProtocolBufferException | JsonException wrong) {
            throw new ProtoMismatch("the bytes are no google.rpc.Status", wrong);
        }
    }
}

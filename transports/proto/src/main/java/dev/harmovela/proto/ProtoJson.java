package dev.harmovela.proto;

import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.DynamicMessage;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.util.JsonFormat;
import dev.harmovela.contract.json.Json;
import dev.harmovela.contract.json.JsonException;
import java.io.IOException;
import java.io.InputStream;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;

/**
 * One message type, between its binary form and ProtoJSON. Members and names of enum values that the type does not know
 * are left out on the way to binary, unknown fields on the way back. Immutable.
 */
public final class ProtoJson {

    /** Beyond it a double does not hold every whole number. */
    private static final BigDecimal EXACT = new BigDecimal(1L << 53);

    private final Descriptor type;
    private final JsonFormat.Printer printer = JsonFormat.printer().omittingInsignificantWhitespace();
    private final JsonFormat.Parser parser = JsonFormat.parser().ignoringUnknownFields();

    /** For messages of that type. */
    public ProtoJson(Descriptor type) {
        this.type = type;
    }

    /** The type's name without its package. */
    public String name() {
        return type.getName();
    }

    /**
     * The message as bytes.
     *
     * @throws ProtoMismatch when a member has another type than the message wants
     */
    public byte[] toBytes(Json.Obj json) throws ProtoMismatch {
        DynamicMessage.Builder message = DynamicMessage.newBuilder(type);
        try {
            parser.merge(json.toString(), message);
        } catch (InvalidProtocolBufferException wrong) {
            throw new ProtoMismatch("not a " + type.getName() + ": " + wrong.getMessage(), wrong);
        }
        return message.build().toByteArray();
    }

    /**
     * The message as JSON: camelCase names, enums by name, what is unset left out.
     *
     * @throws ProtoMismatch when the bytes are none of that type
     */
    public Json.Obj toJson(InputStream bytes) throws ProtoMismatch {
        try {
            String text = printer.print(DynamicMessage.parseFrom(type, bytes));
            return Json.parse(text) instanceof Json.Obj object ? (Json.Obj) plain(object) : Json.Obj.of();
        } catch (IOException | JsonException wrong) {
            throw new ProtoMismatch("the bytes are no " + type.getName(), wrong);
        }
    }

    /** Whole numbers without the fraction that a double is printed with. */
    private static Json plain(Json value) {
        return switch (value) {
            case Json.Obj object -> {
                Json.Builder copy = Json.Obj.builder();
                object.forEach((name, member) -> copy.put(name, plain(member)));
                yield copy.build();
            }
            case Json.Arr array -> {
                List<Json> items = new ArrayList<>();
                array.items().forEach(item -> items.add(plain(item)));
                yield new Json.Arr(items);
            }
            case Json.Num number -> whole(number);
            case Json.Str _, Json.Bool _, Json.Null _ -> value;
        };
    }

    private static Json whole(Json.Num number) {
        BigDecimal value = new BigDecimal(number.text());
        boolean isWhole = value.stripTrailingZeros().scale() <= 0 && value.abs().compareTo(EXACT) <= 0;
        return isWhole ? Json.of(value.longValueExact()) : number;
    }
}

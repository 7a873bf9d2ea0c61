package dev.harmovela.transport.grpc;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.CodedOutputStream;
import com.google.protobuf.WireFormat;
import dev.harmovela.spi.Message;
import java.io.IOException;

/** {@code HarmovelaMessage} on the wire: the bytes of {@code json_payload} go through without ever being text. */
final class Payloads {

    private static final int FIELD = 1;
    private static final int TAG = (FIELD << 3) | WireFormat.WIRETYPE_LENGTH_DELIMITED;

    private Payloads() {}

    /** The JSON in a message; nothing when the bytes are none. */
    static byte[] decode(byte[] whole) {
        byte[] json = {};
        try {
            CodedInputStream in = CodedInputStream.newInstance(whole);
            for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
                if (tag == TAG) {
                    json = in.readByteArray();
                } else if (!in.skipField(tag)) {
                    return new byte[0];
                }
            }
            return json;
        } catch (IOException broken) {
            return new byte[0];
        }
    }

    /** One event as a whole message. */
    static byte[] encode(Message message) {
        int length = message.length();
        int start = 1 + CodedOutputStream.computeUInt32SizeNoTag(length);
        byte[] whole = new byte[start + length];
        CodedOutputStream out = CodedOutputStream.newInstance(whole, 0, start);
        try {
            out.writeUInt32NoTag(TAG);
            out.writeUInt32NoTag(length);
            out.flush();
        } catch (IOException impossible) {
            throw new IllegalStateException("the array is large enough", impossible);
        }
        message.copyTo(whole, start);
        return whole;
    }
}

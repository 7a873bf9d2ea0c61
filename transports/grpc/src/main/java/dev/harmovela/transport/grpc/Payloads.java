package dev.harmovela.transport.grpc;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.CodedOutputStream;
import com.google.protobuf.WireFormat;
import dev.harmovela.spi.Message;
import io.grpc.MethodDescriptor;
import java.io.IOException;
import java.io.InputStream;

/**
 * {@code HarmovelaMessage} on the wire: the bytes of {@code json_payload} go through without ever being text. Incoming
 * values are the JSON alone, outgoing ones the whole message.
 */
final class Payloads implements MethodDescriptor.Marshaller<byte[]> {

    private static final int FIELD = 1;
    private static final int TAG = (FIELD << 3) | WireFormat.WIRETYPE_LENGTH_DELIMITED;

    /** What stands for bytes that are no {@code HarmovelaMessage}. */
    static final byte[] MALFORMED = {};

    @Override
    public InputStream stream(byte[] whole) {
        return new RawBytes.Known(whole);
    }

    @Override
    public byte[] parse(InputStream stream) {
        try {
            CodedInputStream in = CodedInputStream.newInstance(stream.readAllBytes());
            byte[] json = MALFORMED;
            for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
                if (tag == TAG) {
                    json = in.readByteArray();
                } else if (!in.skipField(tag)) {
                    return MALFORMED;
                }
            }
            return json;
        } catch (IOException broken) {
            return MALFORMED;
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

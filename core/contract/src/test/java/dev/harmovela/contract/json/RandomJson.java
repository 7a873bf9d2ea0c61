package dev.harmovela.contract.json;

import java.nio.charset.StandardCharsets;
import java.util.Random;

/**
 * Documents made up from a seed: as values, as text with odd spacing and escapes, and as text with a few bytes
 * changed.
 */
public final class RandomJson {

    private static final String[] NUMBERS = {
        "0",
        "-0",
        "1",
        "-17",
        "3.25",
        "1.10",
        "1e5",
        "2E-3",
        "1e400",
        "9007199254740993",
        "123456789012345678901234567890"
    };
    private static final String[] SPACES = {"", "", "", " ", "\n", "\t", "\r\n  "};
    private static final byte[] ODD = "\"\\{}[],:0123456789eE+-.tfnaul\u0000\u001f _\u00c3\u00ed\u00a0\u00f0"
            .getBytes(StandardCharsets.ISO_8859_1);

    private final Random random;

    public RandomJson(long seed) {
        random = new Random(seed);
    }

    public Json value(int depth) {
        int choice = random.nextInt(depth > 0 ? 9 : 6);
        return switch (choice) {
            case 0 -> Json.Null.NULL;
            case 1 -> Json.of(random.nextBoolean());
            case 2, 3 -> new Json.Num(NUMBERS[random.nextInt(NUMBERS.length)]);
            case 4, 5 -> Json.of(string());
            case 6 -> {
                java.util.List<Json> items = new java.util.ArrayList<>();
                for (int i = random.nextInt(5); i > 0; i--) {
                    items.add(value(depth - 1));
                }
                yield new Json.Arr(items);
            }
            default -> object(depth - 1);
        };
    }

    public Json.Obj object(int depth) {
        Json.Builder builder = Json.Obj.builder();
        int size = random.nextInt(20) == 0 ? 40 : random.nextInt(6);
        for (int i = 0; i < size; i++) {
            builder.put(string(), value(depth));
        }
        return builder.build();
    }

    public String string() {
        StringBuilder out = new StringBuilder();
        for (int i = random.nextInt(12); i > 0; i--) {
            out.appendCodePoint(
                    switch (random.nextInt(12)) {
                        case 0 -> random.nextInt(0x20);
                        case 1 -> '"';
                        case 2 -> '\\';
                        case 3 -> 0x80 + random.nextInt(0x700);
                        case 4 -> 0x800 + random.nextInt(0xC000);
                        case 5 -> 0x10000 + random.nextInt(0x10000);
                        default -> 'a' + random.nextInt(26);
                    });
        }
        return out.toString();
    }

    /** The value with white space between tokens and some characters escaped that need not be. */
    public String loose(Json value) {
        StringBuilder out = new StringBuilder();
        write(out, value);
        return out.toString();
    }

    private void write(StringBuilder out, Json value) {
        out.append(space());
        switch (value) {
            case Json.Obj o -> {
                out.append('{').append(space());
                String[] separator = {""};
                o.forEach((name, member) -> {
                    out.append(separator[0]).append(space());
                    quote(out, name);
                    out.append(space()).append(':');
                    write(out, member);
                    separator[0] = ",";
                });
                out.append('}');
            }
            case Json.Arr a -> {
                out.append('[').append(space());
                String separator = "";
                for (Json item : a.items()) {
                    out.append(separator);
                    write(out, item);
                    separator = ",";
                }
                out.append(']');
            }
            case Json.Str s -> quote(out, s.value());
            default -> out.append(value);
        }
        out.append(space());
    }

    private void quote(StringBuilder out, String s) {
        out.append('"');
        s.codePoints().forEach(c -> {
            if (c < 0x20 || c == '"' || c == '\\' || random.nextInt(8) == 0) {
                String form = random.nextBoolean() ? "\\u%04x" : "\\u%04X";
                for (char unit : Character.toChars(c)) {
                    out.append(String.format(form, (int) unit));
                }
            } else {
                out.appendCodePoint(c);
            }
        });
        out.append('"');
    }

    private String space() {
        return SPACES[random.nextInt(SPACES.length)];
    }

    /** The bytes with one to three of them changed, removed, doubled or added. */
    public byte[] mutate(byte[] bytes) {
        byte[] now = bytes;
        for (int i = random.nextInt(3); i >= 0 && now.length > 0; i--) {
            int at = random.nextInt(now.length);
            byte odd = random.nextInt(4) == 0 ? (byte) random.nextInt(256) : ODD[random.nextInt(ODD.length)];
            now = switch (random.nextInt(5)) {
                case 0 -> splice(now, at, at + 1, new byte[0]);
                case 1 -> splice(now, at, at, new byte[] {odd});
                case 2 -> splice(now, at, at + 1, new byte[] {odd});
                case 3 -> splice(now, at, now.length, new byte[0]);
                default -> {
                    int end = Math.min(now.length, at + 1 + random.nextInt(20));
                    yield splice(now, at, at, java.util.Arrays.copyOfRange(now, at, end));
                }
            };
        }
        return now;
    }

    private static byte[] splice(byte[] bytes, int from, int to, byte[] middle) {
        byte[] out = new byte[bytes.length - (to - from) + middle.length];
        System.arraycopy(bytes, 0, out, 0, from);
        System.arraycopy(middle, 0, out, from, middle.length);
        System.arraycopy(bytes, to, out, from + middle.length, bytes.length - to);
        return out;
    }
}

package dev.harmovela.contract.json;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Reads one strict JSON document from bytes, piece by piece: UTF-8 and grammar are checked on the way, repeated keys
 * found at any depth, nothing decoded that is not asked for (D18).
 *
 * <p>Broken grammar ends reading at once with a {@link JsonException}. What the grammar allows and this hub refuses
 * (repeated keys, lone surrogates in escapes) is remembered and thrown by {@link #finish()}, so that the caller has
 * seen the rest. Reusable through {@link #reset}; not thread-safe.
 */
public final class JsonScanner {

    /** Deepest nesting that can be asked for. */
    public static final int DEPTH_LIMIT = 512;

    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final long ONES = 0x0101010101010101L;
    private static final long HIGHS = 0x8080808080808080L;
    private static final byte[] NO_BYTES = {};
    /** Levels a new scanner has room for; hardly any document needs more. */
    private static final int FIRST_LEVELS = 8;

    /** Instead of an index: this level is an object. */
    private static final int OBJECT = -2;

    private static final int BEFORE_ITEMS = -1;

    private final int maxDepth;
    private final KeyStack keys = new KeyStack();
    private int[] base = new int[FIRST_LEVELS];
    private int[] index = new int[FIRST_LEVELS];
    private byte[] buf = NO_BYTES;
    private int start;
    private int pos;
    private int end;
    private int depth;
    private int textFrom;
    private int textTo;
    private boolean escaped;
    private int comma;
    private int keyQuote;
    private @Nullable JsonException refused;

    /** @param maxDepth levels of objects and arrays, 1 to {@link #DEPTH_LIMIT} */
    public JsonScanner(int maxDepth) {
        if (maxDepth < 1 || maxDepth > DEPTH_LIMIT) {
            throw new IllegalArgumentException("depth out of 1.." + DEPTH_LIMIT + ": " + maxDepth);
        }
        this.maxDepth = maxDepth;
    }

    /** Begins a document; the array is only read and let go with {@link #release()} or the next reset. */
    public void reset(byte[] buffer, int offset, int length) {
        buf = buffer;
        start = offset;
        pos = offset;
        end = offset + length;
        depth = 0;
        refused = null;
        keys.clear();
    }

    /** Lets go of the document. */
    public void release() {
        buf = NO_BYTES;
        refused = null;
    }

    /** Skips white space; the byte that follows, or -1 at the end. */
    public int peek() {
        while (pos < end) {
            byte b = buf[pos];
            if (b > ' ' || (b != ' ' && b != '\n' && b != '\r' && b != '\t')) {
                return b & 0xFF;
            }
            pos++;
        }
        return -1;
    }

    /** Index in the array of the next unread byte. */
    public int position() {
        return pos;
    }

    /** Enters the object whose brace comes next. */
    public void enterObject() {
        if (peek() != '{') {
            throw unexpected("an object");
        }
        push(OBJECT);
    }

    /** Enters the array whose bracket comes next. */
    public void enterArray() {
        if (peek() != '[') {
            throw unexpected("an array");
        }
        push(BEFORE_ITEMS);
    }

    private void push(int before) {
        if (depth == maxDepth) {
            throw fail("at most " + maxDepth + " levels", "deeper nesting", false);
        }
        pos++;
        depth++;
        if (depth == base.length) {
            base = Arrays.copyOf(base, depth * 2);
            index = Arrays.copyOf(index, depth * 2);
        }
        base[depth] = keys.size();
        index[depth] = before;
    }

    /** Moves to the value of the next member of the object entered last; false when the object has ended. */
    public boolean nextKey() {
        int c = peek();
        comma = -1;
        if (c == '}') {
            pos++;
            closeObject();
            return false;
        }
        if (keys.size() > base[depth]) {
            if (c != ',') {
                throw unexpected("a comma or the end of the object");
            }
            comma = pos;
            pos++;
            c = peek();
        }
        if (c != '"') {
            throw unexpected("a key");
        }
        keyQuote = pos;
        key();
        if (peek() != ':') {
            throw unexpected("a colon");
        }
        pos++;
        return true;
    }

    /** Moves to the next item of the array entered last; false when the array has ended. */
    public boolean nextItem() {
        int c = peek();
        if (c == ']') {
            pos++;
            depth--;
            return false;
        }
        if (index[depth] > BEFORE_ITEMS) {
            if (c != ',') {
                throw unexpected("a comma or the end of the array");
            }
            pos++;
            peek();
        }
        index[depth]++;
        return true;
    }

    private void closeObject() {
        int repeated = refused == null ? keys.lateRepeat(buf, base[depth]) : -1;
        if (repeated >= 0) {
            refuse(JsonText.dotted(path(depth - 1), keys.text(buf, repeated)), "unique keys", repeatedKey(repeated));
        }
        keys.cut(base[depth]);
        depth--;
    }

    private void key() {
        int p = pos + 1;
        int h = 0;
        while (p < end) {
            int b = buf[p];
            if (b == '"') {
                push(pos + 1, p, h);
                pos = p + 1;
                return;
            }
            if (b < 0x20 || b == '\\') {
                break;
            }
            h = 31 * h + b;
            p++;
        }
        string();
        if (escaped) {
            keys.pushDecoded(JsonText.decode(buf, textFrom, textTo, true));
            checkRepeat();
        } else {
            push(textFrom, textTo, KeyStack.hash(buf, textFrom, textTo));
        }
    }

    private void push(int from, int to, int hash) {
        keys.push(from, to, hash);
        checkRepeat();
    }

    private void checkRepeat() {
        if (refused == null && keys.earlyRepeat(buf, base[depth])) {
            refuse(path(depth), "unique keys", repeatedKey(keys.size() - 1));
        }
    }

    private String repeatedKey(int key) {
        return "the key \"" + JsonText.shown(keys.text(buf, key)) + "\" again";
    }

    /** Hash of the key read last, see {@link #hash}. */
    public int keyHash() {
        return keys.lastHash();
    }

    /** Whether the key read last is {@code name} (UTF-8). */
    public boolean keyIs(byte[] name) {
        return keys.lastIs(buf, name);
    }

    /** First byte of the key read last, or -1 when it is empty. */
    public int keyFirst() {
        return keys.lastFirst(buf);
    }

    /** Whether the key read last was written with escapes. */
    public boolean keyEscaped() {
        return keys.lastDecoded();
    }

    /** The key read last. */
    public String keyText() {
        return keys.text(buf, keys.size() - 1);
    }

    /** Position of the quote in front of the key read last. */
    public int keyQuote() {
        return keyQuote;
    }

    /** Position of the comma in front of the key read last, or -1 for a first member. */
    public int comma() {
        return comma;
    }

    /** The hash by which keys can be looked up. */
    public static int hash(byte[] bytes, int from, int to) {
        return KeyStack.hash(bytes, from, to);
    }

    /** Reads the string that comes next; its content lies between {@link #textFrom()} and {@link #textTo()}. */
    public void string() {
        if (peek() != '"') {
            throw unexpected("a string");
        }
        int p = pos + 1;
        textFrom = p;
        escaped = false;
        while (true) {
            p = plainRun(p);
            if (p >= end) {
                pos = end;
                throw unexpected("the end of a string");
            }
            byte b = buf[p];
            if (b == '"') {
                textTo = p;
                pos = p + 1;
                return;
            }
            p = b == '\\' ? escape(p) : multiByte(p);
        }
    }

    /** First position from {@code p} on whose byte is a quote, a backslash, a control character or not ASCII. */
    private int plainRun(int p) {
        while (p + 8 <= end) {
            long x = (long) LONGS.get(buf, p);
            long quote = x ^ (ONES * '"');
            long slash = x ^ (ONES * '\\');
            long hits = (((x - ONES * 0x20) | (quote - ONES) | (slash - ONES)) & ~x | x) & HIGHS;
            if (hits != 0) {
                return p + (Long.numberOfTrailingZeros(hits) >>> 3);
            }
            p += 8;
        }
        while (p < end && buf[p] >= 0x20 && buf[p] != '"' && buf[p] != '\\') {
            p++;
        }
        return p;
    }

    private int multiByte(int p) {
        pos = p;
        if (buf[p] >= 0) {
            throw fail("an escaped control character", "byte " + buf[p], true);
        }
        int length = JsonText.utf8Length(buf, p, end);
        if (length == 0) {
            throw fail("UTF-8", "byte 0x" + Integer.toHexString(buf[p] & 0xFF), true);
        }
        return p + length;
    }

    private int escape(int p) {
        escaped = true;
        pos = p;
        if (p + 1 >= end) {
            pos = end;
            throw unexpected("an escape");
        }
        switch (buf[p + 1]) {
            case '"', '\\', '/', 'b', 'f', 'n', 'r', 't' -> {
                return p + 2;
            }
            case 'u' -> {
                return unicode(p);
            }
            default -> throw fail("an escape", "a backslash before byte " + buf[p + 1], true);
        }
    }

    private int unicode(int p) {
        int unit = JsonText.hex4(buf, p + 2, end);
        if (unit < 0) {
            throw fail("four hexadecimal digits", "something else", true);
        }
        if (unit < 0xD800 || unit > 0xDFFF) {
            return p + 6;
        }
        int next = p + 6;
        if (unit < 0xDC00 && next + 1 < end && buf[next] == '\\' && buf[next + 1] == 'u') {
            int low = JsonText.hex4(buf, next + 2, end);
            if (low >= 0xDC00 && low <= 0xDFFF) {
                return next + 6;
            }
        }
        if (refused == null) {
            refuse(path(depth), "a surrogate pair", "a lone surrogate");
        }
        return next;
    }

    public int textFrom() {
        return textFrom;
    }

    public int textTo() {
        return textTo;
    }

    /** Whether the string read last contains escapes. */
    public boolean escaped() {
        return escaped;
    }

    /** The string read last, decoded. */
    public String text() {
        return JsonText.decode(buf, textFrom, textTo, escaped);
    }

    /** Content of a string that was read from {@code bytes} before. */
    public static String decode(byte[] bytes, int from, int to, boolean escaped) {
        return JsonText.decode(bytes, from, to, escaped);
    }

    /** Reads the number that comes next; its text lies between {@link #textFrom()} and {@link #textTo()}. */
    public void number() {
        peek();
        int p = pos;
        int sign = p < end && buf[p] == '-' ? 1 : 0;
        int digits = digits(p + sign);
        if (digits == p + sign || (buf[p + sign] == '0' && digits > p + sign + 1)) {
            throw unexpected("a value");
        }
        int q = digits;
        if (q < end && buf[q] == '.') {
            q = needDigits(q + 1);
        }
        if (q < end && (buf[q] | 0x20) == 'e') {
            int exponent = q + 1;
            q = needDigits(exponent < end && (buf[exponent] == '+' || buf[exponent] == '-') ? exponent + 1 : exponent);
        }
        textFrom = p;
        textTo = q;
        escaped = false;
        pos = q;
    }

    private int needDigits(int p) {
        int q = digits(p);
        if (q == p) {
            pos = p;
            throw unexpected("a digit");
        }
        return q;
    }

    private int digits(int p) {
        while (p < end && buf[p] >= '0' && buf[p] <= '9') {
            p++;
        }
        return p;
    }

    /** Reads and checks the value that comes next without keeping it. */
    public void skip() {
        switch (peek()) {
            case '{' -> {
                enterObject();
                while (nextKey()) {
                    skip();
                }
            }
            case '[' -> {
                enterArray();
                while (nextItem()) {
                    skip();
                }
            }
            case '"' -> string();
            case 't', 'f', 'n' -> literal();
            default -> number();
        }
    }

    /** Reads the value that comes next. */
    public Json value() {
        return JsonTree.read(this);
    }

    /** Reads the {@code true}, {@code false} or {@code null} that comes next. */
    Json literal() {
        byte first = buf[pos];
        String word = first == 't' ? "true" : first == 'f' ? "false" : "null";
        for (int i = 0; i < word.length(); i++) {
            if (pos + i >= end || buf[pos + i] != word.charAt(i)) {
                throw fail("a value", "a word that is none of true, false, null", true);
            }
        }
        pos += word.length();
        return first == 'n' ? Json.Null.NULL : first == 't' ? Json.Bool.TRUE : Json.Bool.FALSE;
    }

    /** Ends the document: nothing but white space may follow, and what had to be refused on the way is thrown now. */
    public void finish() {
        if (peek() != -1) {
            throw unexpected("the end of the document");
        }
        if (refused != null) {
            throw refused;
        }
    }

    /** Remembers the first refusal; afterwards nothing but the grammar is looked at. */
    private void refuse(String path, String expected, String got) {
        refused = new JsonException(path, expected, got, pos - start, false);
    }

    private JsonException unexpected(String expected) {
        int c = peek();
        String got = c < 0
                ? "the end of the input"
                : c > 0x20 && c < 0x7F ? "'" + (char) c + "'" : "byte 0x" + Integer.toHexString(c);
        return fail(expected, got, true);
    }

    private JsonException fail(String expected, String got, boolean syntax) {
        return new JsonException(path(depth), expected, got, pos - start, syntax);
    }

    /** Dotted way to the value read now. */
    public String path() {
        return path(depth);
    }

    private String path(int levels) {
        String path = "";
        for (int level = 1; level <= levels; level++) {
            if (index[level] != OBJECT) {
                path = JsonText.dotted(path, Integer.toString(Math.max(0, index[level])));
                continue;
            }
            int last = (level == depth ? keys.size() : base[level + 1]) - 1;
            if (last >= base[level]) {
                path = JsonText.dotted(path, keys.text(buf, last));
            }
        }
        return path;
    }
}

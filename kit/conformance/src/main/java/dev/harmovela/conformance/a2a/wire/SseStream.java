package dev.harmovela.conformance.a2a.wire;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Reads server-sent events from bytes: a thread of its own fills a bounded queue. */
final class SseStream implements EventStream {

    private static final int QUEUE = 256;
    private static final int LONGEST_LINE = 1 << 20;

    private final InputStream in;
    private final BlockingQueue<Step> steps = new ArrayBlockingQueue<>(QUEUE);
    private final Thread reader;
    private @Nullable Step last;

    private final StringBuilder data = new StringBuilder();
    private boolean hasData;
    private @Nullable String id;

    SseStream(InputStream in) {
        this.in = new BufferedInputStream(in);
        reader = Thread.ofVirtual().name("a2a-stream").start(this::read);
    }

    private void read() {
        Kind end = Kind.END;
        try {
            for (String line = line(); line != null; line = line()) {
                take(line);
            }
        } catch (IOException broken) {
            end = Kind.CUT;
        } catch (InterruptedException closed) {
            return;
        }
        try {
            steps.put(new Step(end, null, ""));
        } catch (InterruptedException closed) {
            // nobody reads any more
        }
    }

    /** The next line without its end; null at the end of the stream. */
    private @Nullable String line() throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        for (int b = in.read(); b >= 0; b = in.read()) {
            if (b == '\n') {
                return text(line);
            }
            if (line.size() == LONGEST_LINE) {
                throw new IOException("a line of more than " + LONGEST_LINE + " bytes");
            }
            line.write(b);
        }
        return line.size() == 0 ? null : text(line);
    }

    private static String text(ByteArrayOutputStream line) {
        String text = line.toString(StandardCharsets.UTF_8);
        return text.endsWith("\r") ? text.substring(0, text.length() - 1) : text;
    }

    private void take(String line) throws InterruptedException {
        if (line.isEmpty()) {
            if (hasData) {
                steps.put(new Step(Kind.DATA, id, data.toString()));
            }
            data.setLength(0);
            hasData = false;
            return;
        }
        int colon = line.indexOf(':');
        String field = colon < 0 ? line : line.substring(0, colon);
        String value = colon < 0 ? "" : line.substring(colon + 1);
        value = value.startsWith(" ") ? value.substring(1) : value;
        if (field.equals("data")) {
            if (hasData) {
                data.append('\n');
            }
            hasData = true;
            data.append(value);
        } else if (field.equals("id")) {
            id = value;
        }
    }

    @Override
    public Step next(Duration patience) {
        if (last != null) {
            return last;
        }
        try {
            Step step = steps.poll(Math.max(0, patience.toMillis()), TimeUnit.MILLISECONDS);
            if (step == null) {
                return new Step(Kind.SILENCE, null, "");
            }
            if (step.kind() != Kind.DATA) {
                last = step;
            }
            return step;
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
            return new Step(Kind.CUT, null, "");
        }
    }

    @Override
    public void close() {
        reader.interrupt();
        try {
            in.close();
        } catch (IOException gone) {
            // closed either way
        }
    }
}

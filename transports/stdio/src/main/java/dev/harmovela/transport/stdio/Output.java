package dev.harmovela.transport.stdio;

import dev.harmovela.spi.Message;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Writes lines on a thread of its own, so that a reader who stops reading stops nobody else. Lines are added on the
 * hub's executor; everything is safe from any thread.
 */
final class Output {

    private static final int HIGH_WATERMARK = 256 * 1024;

    /** What the writing thread tells. Called on that thread. */
    interface Listener {
        /** There is room again. */
        void drained();

        /** Everything was written after {@link #end()}, or nobody reads any more. */
        void finished();
    }

    private final PrintStream out;
    private final PrintStream err;
    private final Listener listener;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition work = lock.newCondition();
    private ByteArrayOutputStream lines = new ByteArrayOutputStream();
    private ByteArrayOutputStream diagnostics = new ByteArrayOutputStream();
    private int writing;
    private boolean due;
    private boolean wasFull;
    private boolean ended;

    Output(PrintStream out, PrintStream err, Listener listener) {
        this.out = out;
        this.err = err;
        this.listener = listener;
    }

    void start() {
        Thread.ofPlatform().name("stdio-writer").daemon().start(this::run);
    }

    /** Whether there is room; when not, {@link Listener#drained()} follows. */
    boolean writable() {
        lock.lock();
        try {
            boolean room = writing + lines.size() + diagnostics.size() < HIGH_WATERMARK;
            wasFull |= !room;
            return room;
        } finally {
            lock.unlock();
        }
    }

    void add(Message message) {
        byte[] line = new byte[message.length() + 1];
        message.copyTo(line, 0);
        for (int i = 0; i < line.length - 1; i++) {
            // between tokens of JSON a line end is white space; inside strings there is none
            if (line[i] == '\n' || line[i] == '\r') {
                line[i] = ' ';
            }
        }
        line[line.length - 1] = '\n';
        lock.lock();
        try {
            (message.diagnostic ? diagnostics : lines).writeBytes(line);
        } finally {
            lock.unlock();
        }
    }

    void flush() {
        lock.lock();
        try {
            due = true;
            work.signal();
        } finally {
            lock.unlock();
        }
    }

    /** Writes what is there and finishes. */
    void end() {
        lock.lock();
        try {
            ended = true;
            work.signal();
        } finally {
            lock.unlock();
        }
    }

    private void run() {
        try {
            while (writeOnce()) {
                // until the end
            }
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
        } finally {
            listener.finished();
        }
    }

    private boolean writeOnce() throws InterruptedException {
        byte[] nextLines;
        byte[] nextDiagnostics;
        boolean last;
        lock.lock();
        try {
            while (!due && !ended) {
                work.await();
            }
            due = false;
            last = ended;
            nextLines = lines.toByteArray();
            nextDiagnostics = diagnostics.toByteArray();
            lines = new ByteArrayOutputStream();
            diagnostics = new ByteArrayOutputStream();
            writing = nextLines.length + nextDiagnostics.length;
        } finally {
            lock.unlock();
        }
        err.write(nextDiagnostics, 0, nextDiagnostics.length);
        err.flush();
        out.write(nextLines, 0, nextLines.length);
        out.flush();
        boolean broken = out.checkError();
        if (written()) {
            listener.drained();
        }
        return !last && !broken;
    }

    /** Whether somebody waits for room and there is some. */
    private boolean written() {
        lock.lock();
        try {
            writing = 0;
            boolean tell = wasFull && lines.size() + diagnostics.size() < HIGH_WATERMARK;
            wasFull &= !tell;
            return tell;
        } finally {
            lock.unlock();
        }
    }
}

package dev.harmovela.runtime;

import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;

/** Runs something on the hub's executor and waits for it. */
final class Owner {

    /** Work that may fail on the disk. */
    @FunctionalInterface
    interface Work<T> {
        T run() throws IOException;
    }

    private Owner() {}

    static <T> T call(Executor executor, Work<T> work) throws IOException {
        CompletableFuture<T> result = new CompletableFuture<>();
        executor.execute(() -> {
            try {
                result.complete(work.run());
            } catch (IOException | RuntimeException | Error failure) {
                result.completeExceptionally(failure);
            }
        });
        try {
            return result.get();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", interrupted);
        } catch (ExecutionException failure) {
            switch (failure.getCause()) {
                case IOException io -> throw io;
                case RuntimeException bug -> throw bug;
                case Error error -> throw error;
                case null, default -> throw new IllegalStateException(failure);
            }
        }
    }
}

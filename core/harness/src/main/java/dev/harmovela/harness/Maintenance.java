package dev.harmovela.harness;

import dev.harmovela.spi.TaskArchive;
import org.jspecify.annotations.Nullable;

/** Placeholder while the core is put together. */
final class Maintenance {
    Maintenance(Shard shard, @Nullable TaskArchive archive) {}

    void start() {}

    void close() {}
}

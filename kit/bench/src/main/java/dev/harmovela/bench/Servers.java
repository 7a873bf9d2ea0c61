package dev.harmovela.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** How each contender is started. Settings that do not concern durability favour the peers. */
final class Servers {

    private Servers() {}

    static ServerProcess hub(Tools tools) {
        Path directory = tools.directory("hub");
        int port = Tools.freePort();
        List<String> command = List.of(
                tools.harmovela().toString(),
                "serve",
                "--dev",
                "--port",
                Integer.toString(port),
                "--data",
                directory.resolve("data").toString());
        return ServerProcess.start(command, port, directory);
    }

    /** Without snapshots and without rewriting the log, which would cost it time now and then. */
    static ServerProcess redis(Tools tools, String fsync) {
        if (tools.redis() == null) {
            throw new BenchFailed("no redis-server on this machine");
        }
        Path directory = tools.directory("redis");
        int port = Tools.freePort();
        List<String> command = List.of(
                tools.redis().toString(),
                "--port",
                Integer.toString(port),
                "--bind",
                "127.0.0.1",
                "--dir",
                directory.toString(),
                "--save",
                "",
                "--appendonly",
                "yes",
                "--appendfsync",
                fsync,
                "--auto-aof-rewrite-percentage",
                "0");
        return ServerProcess.start(command, port, directory);
    }

    static ServerProcess nats(Tools tools, String sync) {
        if (tools.nats() == null) {
            throw new BenchFailed("no nats-server of 2.10 or newer: run scripts/bench-peers.sh");
        }
        Path directory = tools.directory("nats");
        int port = Tools.freePort();
        String config = """
                listen: "127.0.0.1:%d"
                max_pending: 256MB
                jetstream { store_dir: "%s", max_file_store: 20GB, max_memory_store: 64MB, %s }
                """.formatted(port, directory, sync);
        Path file = directory.resolve("nats.conf");
        try {
            Files.writeString(file, config);
        } catch (IOException e) {
            throw new BenchFailed("no configuration for nats-server", e);
        }
        return ServerProcess.start(List.of(tools.nats().toString(), "-c", file.toString()), port, directory);
    }
}

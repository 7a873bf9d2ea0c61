package dev.harmovela.cli;

import dev.harmovela.client.ClientOptions;
import dev.harmovela.client.Delivery;
import dev.harmovela.client.HarmovelaClient;
import dev.harmovela.client.NotReachable;
import dev.harmovela.contract.json.Json;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * A hub at work for a few seconds, so that the virtual machine sees what a busy hub calls often and keeps it in the
 * ahead-of-time cache that later hubs start from (scripts/dist.sh). No command: nobody needs it but the build.
 *
 * <p>Arguments: a folder for the hub's data, and how many milliseconds it works.
 */
final class Rehearsal {

    private static final int CONSUMERS = 4;
    private static final int STARTS_WITHIN_SECONDS = 20;
    private static final Json.Obj PAYLOAD =
            Json.Obj.builder().put("fact_id", "f").put("value", "x".repeat(300)).build();

    private Rehearsal() {}

    public static void main(String... arguments) throws Exception {
        int port = freePort();
        List<String> serve =
                List.of("serve", "--dev", "--port", Integer.toString(port), "--data", arguments[0], "--json");
        Thread.ofPlatform()
                .daemon()
                .start(() -> Main.run(new Console(System.out, System.err), Map.of(), serve.toArray(String[]::new)));
        play(URI.create("http://127.0.0.1:" + port), Long.parseLong(arguments[1]));
        // the hub stops as it does on a signal, and the virtual machine writes down what it saw
        System.exit(0);
    }

    private static void play(URI hub, long millis) throws Exception {
        List<HarmovelaClient> clients = new ArrayList<>();
        for (int i = 0; i < CONSUMERS; i++) {
            HarmovelaClient consumer = connect(hub, "agent:listener-" + i);
            Json.Obj filter = Json.Obj.builder()
                    .put("types", List.of("memory.*", "task.*"))
                    .build();
            consumer.subscribe(filter, Delivery::ack).get(STARTS_WITHIN_SECONDS, TimeUnit.SECONDS);
            clients.add(consumer);
        }
        HarmovelaClient publisher = connect(hub, "agent:writer");
        clients.add(publisher);
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
        for (int i = 0; System.nanoTime() < end; i++) {
            // the window of the client holds it back when the hub does not keep up
            var _ = publisher.send("memory.fact.added", PAYLOAD);
            if (i % 64 == 0) {
                task(publisher, "t" + i);
            }
        }
        publisher.fence().get(STARTS_WITHIN_SECONDS, TimeUnit.SECONDS);
        clients.forEach(HarmovelaClient::close);
    }

    private static void task(HarmovelaClient owner, String id) {
        for (String type : List.of("task.submitted", "task.accepted", "task.started", "task.completed")) {
            var _ = owner.send(Json.Obj.builder()
                    .put("type", type)
                    .put("task_id", id)
                    .put("payload", Json.Obj.builder().put("task_id", id).build())
                    .build());
        }
    }

    private static HarmovelaClient connect(URI hub, String identity) throws Exception {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(STARTS_WITHIN_SECONDS);
        while (true) {
            try {
                return HarmovelaClient.connect(hub, ClientOptions.of(identity));
            } catch (NotReachable early) {
                if (System.nanoTime() > end) {
                    throw early;
                }
                Thread.sleep(20);
            }
        }
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }
}

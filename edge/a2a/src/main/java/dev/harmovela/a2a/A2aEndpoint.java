package dev.harmovela.a2a;

import dev.harmovela.contract.json.Json;
import dev.harmovela.spi.Caller;
import dev.harmovela.spi.Hub;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/** Every agent of the hub that declared a card, as an agent of A2A 1.0. On the hub's executor only. */
public final class A2aEndpoint {

    private static final String CARD = "agent-card.json";
    private static final String OLD_CARD = "agent.json";

    private final A2aSettings settings;
    private final Cards cards;
    private final RpcFace rpc;
    private final RestFace rest;
    private final GrpcFace grpc;

    /**
     * @param threads runs what blocks: looking up names and calling receivers
     */
    public A2aEndpoint(Hub hub, Loop loop, Executor threads, A2aSettings settings) {
        this.settings = settings;
        this.cards = new Cards(hub, settings);
        PushDesk push = new PushDesk(loop, threads, new HookGuard(settings.localHooks()));
        Service service = new Service(cards, new Operations(hub, loop, push));
        this.rpc = new RpcFace(settings, service);
        this.rest = new RestFace(service);
        this.grpc = new GrpcFace(settings, service);
    }

    /** Serves a call of the gRPC binding. */
    public void handle(A2aRpc call) {
        grpc.handle(call);
    }

    /** Serves a request below {@code /a2a}, {@code /.well-known}, {@code /} or {@code /rpc}. */
    public void handle(A2aExchange exchange) {
        List<String> path = new ArrayList<>(List.of(exchange.path().substring(1).split("/", -1)));
        if (path.getFirst().equals("a2a")) {
            path.removeFirst();
        }
        String agent = settings.defaultAgent();
        if (path.size() > 1 && path.getFirst().equals("agents")) {
            agent = "agent:" + path.get(1);
            path.subList(0, 2).clear();
        }
        boolean legacyCard = !path.isEmpty() && path.getFirst().equals("legacy") && path.size() > 1;
        if (legacyCard) {
            path.removeFirst();
        }
        if (path.size() == 2 && path.getFirst().equals(".well-known")) {
            card(exchange, agent, path.get(1), legacyCard);
            return;
        }
        String place = String.join("/", path);
        boolean isRpc = exchange.method().equals("POST")
                && switch (place) {
                    case "", "jsonrpc", "rpc", "legacy", "1.2" -> true;
                    default -> false;
                };
        if (agent == null) {
            RestFace.refuse(exchange, Refusal.of(A2aError.METHOD_NOT_FOUND, "there is no agent at this address"));
        } else if (isRpc) {
            boolean trial = place.equals("1.2") && settings.experimental();
            rpc.handle(exchange, new RpcFace.Place(agent, trial ? "1.2" : "1.0"));
        } else {
            rest.handle(exchange, agent, path.isEmpty() ? List.of("") : path);
        }
    }

    // --- cards

    private void card(A2aExchange exchange, @Nullable String agent, String file, boolean below) {
        boolean known = file.equals(CARD) || (file.equals(OLD_CARD) && settings.legacy());
        if (agent == null || !known) {
            missing(exchange);
            return;
        }
        boolean asked = "0.3".equals(exchange.header("A2A-Version"));
        boolean old = settings.legacy() && (below || file.equals(OLD_CARD) || asked);
        String tenant = Caller.DEFAULT_TENANT;
        cards.find(tenant, agent, found -> {
            if (found == null) {
                missing(exchange);
                return;
            }
            Json.Obj card = old ? cards.legacy(agent, found) : cards.card(agent, tenant, found, found.card());
            show(exchange, card.toBytes());
        });
    }

    private static void missing(A2aExchange exchange) {
        byte[] body = "{\"error\":\"there is no agent card at this address\"}".getBytes(StandardCharsets.UTF_8);
        exchange.answer(404, "application/json", body);
    }

    private static void show(A2aExchange exchange, byte[] card) {
        String tag = '"' + Proto.hash(card).substring(0, 24) + '"';
        exchange.with("ETag", tag);
        exchange.with("Cache-Control", "public, max-age=60");
        exchange.with("Vary", "A2A-Version");
        String held = exchange.header("If-None-Match");
        boolean same = held != null && (held.contains(tag) || held.strip().equals("*"));
        exchange.answer(same ? 304 : 200, "application/json", same ? new byte[0] : card);
    }
}

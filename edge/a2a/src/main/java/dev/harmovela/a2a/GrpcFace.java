package dev.harmovela.a2a;

import dev.harmovela.contract.json.Json;
import org.jspecify.annotations.Nullable;

/** The gRPC binding. On the hub's executor only. */
final class GrpcFace {

    private static final String AGENT = "a2a-agent";

    private final A2aSettings settings;
    private final Service service;

    GrpcFace(A2aSettings settings, Service service) {
        this.settings = settings;
        this.service = service;
    }

    void handle(A2aRpc rpc) {
        try {
            serve(rpc);
        } catch (Refusal refusal) {
            refuse(rpc, refusal);
        }
    }

    private void serve(A2aRpc rpc) throws Refusal {
        Gate.requireVersion(rpc, "1.0");
        Json.Obj params = rpc.request();
        String tenant = Proto.string(params, "tenant");
        String routed = RouteToken.agent(tenant);
        if (routed == null) {
            Gate.requireTenant(rpc, tenant);
        }
        String agent = routed == null ? named(rpc) : routed;
        if (agent == null) {
            throw Refusal.of(A2aError.UNAVAILABLE, "no agent is named and none is configured");
        }
        Call call = new Call(
                rpc.method(), params.without("tenant"), rpc.caller(), agent, Gate.key(rpc), Gate.lastEventId(rpc));
        if (Service.isStream(rpc.method())) {
            service.stream(rpc, call, new Responses(rpc));
        } else {
            service.call(rpc, call, outcome(rpc));
        }
    }

    /** Whom the metadata name, or the default agent. */
    private @Nullable String named(A2aRpc rpc) {
        String name = rpc.header(AGENT);
        if (name == null) {
            return settings.defaultAgent();
        }
        return name.startsWith("agent:") ? name : "agent:" + name;
    }

    private static Call.Outcome outcome(A2aRpc rpc) {
        return new Call.Outcome() {
            @Override
            public void done(Json result) {
                rpc.answer(result instanceof Json.Obj object ? object : Json.Obj.of());
            }

            @Override
            public void refused(Refusal refusal) {
                refuse(rpc, refusal);
            }

            @Override
            public void whenLeft(Runnable task) {
                rpc.whenLeft(task);
            }
        };
    }

    private static void refuse(A2aRpc rpc, Refusal refusal) {
        Service.tellMore(rpc, refusal);
        rpc.fail(refusal.error.status, refusal.text(), refusal.details());
    }

    /** A stream of responses. */
    private static final class Responses implements Call.Stream {

        private final A2aRpc rpc;

        Responses(A2aRpc rpc) {
            this.rpc = rpc;
        }

        @Override
        public void begin(Runnable onClosed) {
            rpc.whenLeft(onClosed);
        }

        @Override
        public void event(long number, Json.Obj response) {
            rpc.event(response);
        }

        @Override
        public void gap() {
            // this binding has no comments: the task as it is now says it
        }

        @Override
        public void end() {
            rpc.end();
        }

        @Override
        public void refused(Refusal refusal) {
            refuse(rpc, refusal);
        }
    }
}

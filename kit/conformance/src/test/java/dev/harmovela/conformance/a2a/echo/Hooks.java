package dev.harmovela.conformance.a2a.echo;

import dev.harmovela.contract.json.Json;
import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.util.List;

/** The four operations of push configurations, and the gate of the extended card. */
final class Hooks {

    private final Operations operations;
    private final Faults faults;

    Hooks(Operations operations, Faults faults) {
        this.operations = operations;
        this.faults = faults;
    }

    Json call(Call call) throws Refusal {
        String operation = call.operation();
        if (operation.equals("GetExtendedAgentCard")) {
            if (!faults.has("extended")) {
                throw Refusal.of("UNSUPPORTED_OPERATION");
            }
            return EchoCard.of(URI.create("http://127.0.0.1"), null, faults);
        }
        if (!operation.contains("PushNotificationConfig")) {
            throw Refusal.of("METHOD_NOT_FOUND");
        }
        if (faults.has("no-push")) {
            throw Refusal.of(faults.has("push.gate") ? "TASK_NOT_FOUND" : "PUSH_NOTIFICATION_NOT_SUPPORTED");
        }
        synchronized (operations.agent) {
            EchoTask task = operations.find(call, call.params().string("taskId"));
            String id = String.valueOf(call.params().string("id"));
            return switch (operation) {
                case "CreateTaskPushNotificationConfig" -> keep(task, call.params());
                case "GetTaskPushNotificationConfig" -> {
                    Json.Obj found = task.hooks.get(id);
                    if (found == null) {
                        throw Refusal.of("TASK_NOT_FOUND");
                    }
                    yield found;
                }
                case "ListTaskPushNotificationConfigs" -> {
                    List<Json> all = List.copyOf(task.hooks.values());
                    boolean one = faults.has("push.lists-one") && !all.isEmpty();
                    yield Json.Obj.of().with("configs", new Json.Arr(one ? all.subList(0, 1) : all));
                }
                case "DeleteTaskPushNotificationConfig" -> {
                    if (!faults.has("push.not-deleted")) {
                        task.hooks.remove(id);
                    }
                    yield Json.Obj.of();
                }
                default -> throw Refusal.of("METHOD_NOT_FOUND");
            };
        }
    }

    /** Stores a configuration, checked. */
    Json.Obj keep(EchoTask task, Json.Obj config) throws Refusal {
        Json.Obj login = config.object("authentication");
        boolean broken = broken(config.string("token"))
                || (login != null && (broken(login.string("scheme")) || broken(login.string("credentials"))));
        if (broken && !faults.has("push.line-breaks")) {
            throw Refusal.of("INVALID_PARAMS");
        }
        if (!safe(String.valueOf(config.string("url"))) && !faults.has("push.unsafe")) {
            throw Refusal.of("INVALID_PARAMS");
        }
        String named = config.string("id");
        String id = named == null ? operations.agent.fresh("hook") : named;
        Json.Obj kept =
                config.without("tenant").with("taskId", Json.of(task.id)).with("id", Json.of(id));
        boolean again = task.hooks.containsKey(id) && faults.has("push.doubled");
        task.hooks.put(again ? id + "-again" : id, kept);
        return faults.has("push.other-url") ? kept.with("url", Json.of("https://other.example.com/")) : kept;
    }

    private static boolean broken(@org.jspecify.annotations.Nullable String text) {
        return text != null && (text.contains("\r") || text.contains("\n"));
    }

    /** Loopback is open: the endpoint is a test's. */
    private static boolean safe(String url) {
        try {
            URI uri = URI.create(url);
            if (uri.getHost() == null || !uri.getScheme().startsWith("http")) {
                return false;
            }
            if (uri.getHost().endsWith(".example.com")) {
                return true;
            }
            for (InetAddress each : InetAddress.getAllByName(uri.getHost().replaceAll("[\\[\\]]", ""))) {
                if (each.isLinkLocalAddress() || each.isSiteLocalAddress() || each.isAnyLocalAddress()) {
                    return false;
                }
            }
            return true;
        } catch (IllegalArgumentException | UnknownHostException notAnAddress) {
            return false;
        }
    }
}

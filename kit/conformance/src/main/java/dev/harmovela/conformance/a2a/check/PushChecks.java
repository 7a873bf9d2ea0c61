package dev.harmovela.conformance.a2a.check;

import dev.harmovela.conformance.a2a.wire.AddressGuard;
import dev.harmovela.conformance.a2a.wire.WebhookReceiver;
import dev.harmovela.conformance.a2a.wire.WireException;
import dev.harmovela.contract.json.Json;
import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Push notification configurations, and deliveries to a receiver of the kit. */
final class PushChecks {

    private static final String ROW = "push.task-push-notification-config";
    private static final String HOOK = "https://kit.example.com/hook";
    private static final String SCHEME = "Bearer";
    private static final String CREDENTIALS = "kit-hook-credentials";
    private static final String TOKEN = "kit-hook-token";
    private static final int DISCARD_PORT = 9;

    /** How long a delivery that must not come is waited for. */
    private static final Duration QUIET = Duration.ofMillis(700);

    private static final List<String> UNSAFE = List.of(
            "http://169.254.169.254/latest/meta-data/",
            "http://10.0.0.1/hook",
            "http://192.168.1.1/hook",
            "http://[fe80::1]/hook",
            "http://0.0.0.0/hook",
            "http://[::ffff:169.254.169.254]/hook",
            "http://2852039166/hook",
            "ftp://kit.example.com/hook");
    private static final List<String> LOOPBACK =
            List.of("http://127.0.0.1:9/hook", "http://[::1]:9/hook", "http://2130706433:9/hook");

    static final List<Check> TABLE = List.of(
            check("push.gated", "not offered: the four operations are refused", PushChecks::gated),
            check("push.create", "creating answers the configuration with an id", PushChecks::create),
            check("push.get", "a configuration is read again", PushChecks::get),
            check("push.list", "a task has several configurations", PushChecks::list),
            check("push.replace", "the same id again replaces", PushChecks::replace),
            check("push.delete", "deleting removes, and may be repeated", PushChecks::delete),
            check("push.unknown-task", "an unknown task: not found", PushChecks::unknownTask),
            check("push.delivery", "updates are posted as StreamResponses", PushChecks::delivery),
            check("push.authentication", "Authorization and token are sent along", PushChecks::authentication),
            check("push.redirect", "redirects are not followed", PushChecks::redirect),
            check("push.unsafe-urls", "addresses inside the network are refused", PushChecks::unsafe),
            check("push.line-breaks", "line breaks in credentials are refused", PushChecks::lineBreaks));

    private PushChecks() {}

    private static Check check(String id, String title, Check.Body body) {
        return new Check(id, ROW, Check.Scope.EACH, title, body);
    }

    private static Json.Obj config(String task, String url) {
        return Json.Obj.builder().put("taskId", task).put("url", url).build();
    }

    private static Json.Obj named(String task, String id) {
        return Json.Obj.builder().put("taskId", task).put("id", id).build();
    }

    private static void gated(Probe probe) throws WireException, Verdict {
        if (probe.run.card.offers("pushNotifications")) {
            throw probe.notApplicable("the card offers pushNotifications");
        }
        String task = probe.run.fresh("no-such-task");
        Json.Obj one = named(task, "c1");
        for (Operation each :
                List.of(Operation.PUSH_CREATE, Operation.PUSH_GET, Operation.PUSH_LIST, Operation.PUSH_DELETE)) {
            Json.Obj params = each == Operation.PUSH_CREATE
                    ? config(task, HOOK)
                    : each == Operation.PUSH_LIST ? one.without("id") : one;
            Reply reply = probe.caller().call(each, params);
            probe.refused(reply, A2aError.PUSH_NOTIFICATION_NOT_SUPPORTED, each.method);
        }
    }

    /** A task that can be watched: one that waits, or any. */
    private static Json.Obj watched(Probe probe) throws WireException, Verdict {
        probe.needs("pushNotifications");
        return probe.task(probe.caller(), probe.sending("tck-input-required", "wait for me"));
    }

    private static Json.Obj created(Probe probe, Json.Obj config) throws WireException, Verdict {
        Reply reply = probe.caller().call(Operation.PUSH_CREATE, config);
        Json.Obj created = probe.present(reply.object(), "creating a configuration: " + reply.brief());
        probe.shaped("TaskPushNotificationConfig", created);
        return created;
    }

    private static void create(Probe probe) throws WireException, Verdict {
        String task = Probe.idOf(watched(probe));
        Json.Obj created = created(probe, config(task, HOOK));
        probe.require(created.string("id") != null && !"".equals(created.string("id")), "no id was assigned");
        probe.require(HOOK.equals(created.string("url")), "another url came back");
        probe.require(task.equals(created.string("taskId")), "another taskId came back");
    }

    private static void get(Probe probe) throws WireException, Verdict {
        String task = Probe.idOf(watched(probe));
        String id = Probe.idOf(created(probe, config(task, HOOK)));
        Reply reply = probe.caller().call(Operation.PUSH_GET, named(task, id));
        probe.shaped("TaskPushNotificationConfig", reply.result());
        Json.Obj found = reply.object();
        probe.require(found != null && HOOK.equals(found.string("url")), "another configuration came back");
        Reply missing = probe.caller().call(Operation.PUSH_GET, named(task, "no-such-config"));
        probe.refused(missing, A2aError.TASK_NOT_FOUND, "an unknown configuration");
    }

    private static List<Json> listed(Probe probe, String task) throws WireException, Verdict {
        Reply reply = probe.caller().call(Operation.PUSH_LIST, Json.Obj.of().with("taskId", Json.of(task)));
        probe.shaped("ListTaskPushNotificationConfigsResponse", reply.result());
        return Probe.list(reply.object(), "configs");
    }

    private static void list(Probe probe) throws WireException, Verdict {
        String task = Probe.idOf(watched(probe));
        created(probe, config(task, HOOK));
        created(probe, config(task, HOOK + "/2"));
        int found = listed(probe, task).size();
        probe.require(found == 2, "two were created and " + found + " are listed");
    }

    private static void replace(Probe probe) throws WireException, Verdict {
        String task = Probe.idOf(watched(probe));
        created(probe, config(task, HOOK).with("id", Json.of("c1")));
        created(probe, config(task, HOOK + "/2").with("id", Json.of("c1")));
        List<Json> found = listed(probe, task);
        probe.require(found.size() == 1, "the same id twice makes " + found.size() + " configurations");
        probe.require((HOOK + "/2").equals(((Json.Obj) found.getFirst()).string("url")), "the first one stayed");
    }

    private static void delete(Probe probe) throws WireException, Verdict {
        String task = Probe.idOf(watched(probe));
        String id = Probe.idOf(created(probe, config(task, HOOK)));
        for (String time : List.of("", " again")) {
            Reply reply = probe.caller().call(Operation.PUSH_DELETE, named(task, id));
            probe.require(reply.problem() == null, "deleting" + time + ": " + reply.brief());
        }
        probe.require(listed(probe, task).isEmpty(), "a deleted configuration is listed");
    }

    private static void unknownTask(Probe probe) throws WireException, Verdict {
        probe.needs("pushNotifications");
        String task = probe.run.fresh("no-such-task");
        Json.Obj one = named(task, "c1");
        List<Reply> replies = List.of(
                probe.caller().call(Operation.PUSH_CREATE, config(task, HOOK)),
                probe.caller().call(Operation.PUSH_GET, one),
                probe.caller().call(Operation.PUSH_LIST, one.without("id")),
                probe.caller().call(Operation.PUSH_DELETE, one));
        for (Reply each : replies) {
            probe.refused(each, A2aError.TASK_NOT_FOUND, "an unknown task");
        }
    }

    // --- deliveries

    private static WebhookReceiver receiver(Probe probe) throws Verdict {
        try {
            return WebhookReceiver.start(towards(probe));
        } catch (IOException failed) {
            throw probe.skip("the kit could not start its webhook receiver: " + failed.getMessage());
        }
    }

    /** The address of this machine that the endpoint sees. */
    private static InetAddress towards(Probe probe) throws IOException {
        if (AddressGuard.isLoopback(probe.run.endpoint)) {
            return InetAddress.ofLiteral("127.0.0.1");
        }
        try (DatagramSocket socket = new DatagramSocket()) {
            socket.connect(new InetSocketAddress(AddressGuard.host(probe.run.endpoint), DISCARD_PORT));
            return socket.getLocalAddress();
        }
    }

    /** Registers the receiver; a refusal is a guard that the kit cannot get past, so the check is skipped. */
    private static void register(Probe probe, Json.Obj config) throws WireException, Verdict {
        Reply reply = probe.caller().call(Operation.PUSH_CREATE, config);
        if (reply.is(A2aError.INVALID_PARAMS)) {
            throw probe.skip("the endpoint refuses the address of the kit's own receiver (" + reply.brief() + ")");
        }
        probe.require(reply.problem() == null, "creating a configuration: " + reply.brief());
    }

    /** What the receiver gets about a task that is completed now. */
    private static WebhookReceiver.Call delivered(Probe probe, WebhookReceiver receiver, Json.Obj config)
            throws WireException, Verdict {
        Json.Obj task = probe.waiting(probe.caller());
        register(probe, config.with("taskId", Json.of(Probe.idOf(task))));
        probe.caller().call(Operation.SEND, probe.completing(task));
        WebhookReceiver.Call call = receiver.next(probe.run.patience);
        if (call == null && !AddressGuard.isLoopback(probe.run.endpoint)) {
            throw probe.skip("nothing reached the kit's receiver; it may not be reachable from the endpoint");
        }
        return probe.present(call, "no delivery within " + probe.run.patience.toMillis() + " ms");
    }

    private static void delivery(Probe probe) throws WireException, Verdict {
        probe.needs("pushNotifications");
        try (WebhookReceiver receiver = receiver(probe)) {
            Json.Obj config =
                    Json.Obj.of().with("url", Json.of(receiver.uri("/hook").toString()));
            WebhookReceiver.Call call = delivered(probe, receiver, config);
            List<String> states = new ArrayList<>();
            while (call != null) {
                states.add(String.valueOf(Feed.state(event(probe, call))));
                boolean ended = Probe.TERMINAL.contains(states.getLast());
                call = ended ? null : receiver.next(probe.run.patience);
            }
            probe.require(Probe.TERMINAL.contains(states.getLast()), "the end was not delivered: " + states);
        }
    }

    private static Json.Obj event(Probe probe, WebhookReceiver.Call call) throws Verdict {
        String type = String.valueOf(call.headers().get("Content-Type"));
        probe.require(
                type.startsWith(RestCaller.A2A_JSON) || type.startsWith(RestCaller.PLAIN_JSON),
                "deliveries are " + type);
        if (type.startsWith(RestCaller.PLAIN_JSON) && probe.notes().isEmpty()) {
            probe.note("deliveries are application/json, as in " + A2aError.TOLERATED);
        }
        Json.Obj event = new dev.harmovela.conformance.a2a.wire.Answer(200, call.headers(), call.body()).object();
        probe.shaped("StreamResponse", event);
        return event == null ? Json.Obj.of() : event;
    }

    private static void authentication(Probe probe) throws WireException, Verdict {
        probe.needs("pushNotifications");
        try (WebhookReceiver receiver = receiver(probe)) {
            Json.Obj login = Json.Obj.builder()
                    .put("scheme", SCHEME)
                    .put("credentials", CREDENTIALS)
                    .build();
            Json.Obj config = Json.Obj.builder()
                    .put("url", receiver.uri("/hook").toString())
                    .put("token", TOKEN)
                    .put("authentication", login)
                    .build();
            WebhookReceiver.Call call = delivered(probe, receiver, config);
            String sent = call.headers().get("Authorization");
            probe.require((SCHEME + " " + CREDENTIALS).equals(sent), "Authorization is " + sent);
            String token = call.headers().get("X-A2A-Notification-Token");
            if (token == null) {
                probe.note("no X-A2A-Notification-Token; " + A2aError.RELEASE + " leaves it open");
            } else {
                probe.require(TOKEN.equals(token), "X-A2A-Notification-Token is " + token);
            }
        }
    }

    private static void redirect(Probe probe) throws WireException, Verdict {
        probe.needs("pushNotifications");
        try (WebhookReceiver receiver = receiver(probe)) {
            Json.Obj config = Json.Obj.of()
                    .with("url", Json.of(receiver.uri("/redirect/hook").toString()));
            delivered(probe, receiver, config);
            List<String> paths = new ArrayList<>();
            for (WebhookReceiver.Call next = receiver.next(QUIET); next != null; next = receiver.next(QUIET)) {
                paths.add(next.path());
            }
            probe.require(!paths.contains("/redirected"), "a redirect of the receiver was followed");
        }
    }

    private static void unsafe(Probe probe) throws WireException, Verdict {
        String task = Probe.idOf(watched(probe));
        List<String> all = new ArrayList<>(UNSAFE);
        if (!AddressGuard.isLoopback(probe.run.endpoint)) {
            all.addAll(LOOPBACK);
        }
        List<String> taken = new ArrayList<>();
        for (String url : all) {
            if (probe.caller().call(Operation.PUSH_CREATE, config(task, url)).problem() == null) {
                taken.add(url);
            }
        }
        probe.require(taken.isEmpty(), "taken: " + String.join(", ", taken));
    }

    private static void lineBreaks(Probe probe) throws WireException, Verdict {
        String task = Probe.idOf(watched(probe));
        Json.Obj login = Json.Obj.builder()
                .put("scheme", SCHEME)
                .put("credentials", "a\r\nX-Forged: b")
                .build();
        List<Json.Obj> configs = List.of(
                config(task, HOOK).with("authentication", login),
                config(task, HOOK).with("token", Json.of("a\r\nX-Forged: b")));
        for (Json.Obj each : configs) {
            Reply reply = probe.caller().call(Operation.PUSH_CREATE, each);
            probe.refused(reply, A2aError.INVALID_PARAMS, "a line break in a credential");
        }
    }
}

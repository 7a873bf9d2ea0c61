package dev.harmovela.runtime;

import dev.harmovela.contract.EventRegistry;
import dev.harmovela.contract.Limits;
import dev.harmovela.dimension.adaptation.Adaptation;
import dev.harmovela.dimension.event.HubOffer;
import dev.harmovela.dimension.task.TaskPolicy;
import dev.harmovela.harness.HubConfig;
import dev.harmovela.store.journal.JournalOptions;
import dev.harmovela.transport.grpc.GrpcConfig;
import dev.harmovela.transport.http.HttpConfig;
import dev.harmovela.transport.http.HttpLimits;
import dev.harmovela.transport.http.HttpTimes;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Hands each part of the hub its share of the configuration. */
final class HubSettings {

    private HubSettings() {}

    static HubConfig hub(DaemonConfig config, List<String> transports) {
        Limits limits = new Limits(
                config.limits().payloadBytes(),
                config.limits().depth(),
                config.limits().nameBytes(),
                Limits.DEFAULT.reservedKeys(),
                config.limits().staleEvents().equals("reject")
                        ? Limits.StaleEvents.REFUSED
                        : Limits.StaleEvents.FLAGGED);
        HubOffer offer = HubConfig.offer(transports, limits.maxPayloadBytes()).madeBy(Version.NAME, Version.NUMBER);
        return new HubConfig(
                registry(config),
                limits,
                config.limits().budgets().equals("refuse") ? offer.without(Adaptation.ENFORCE) : offer,
                config.retry(),
                tasks(config.tasks()),
                bounds(config));
    }

    /** Short names of the transport profiles that are on. */
    static List<String> transports(DaemonConfig config) {
        return config.grpc().isOn() ? List.of("websocket", "sse", "grpc") : List.of("websocket", "sse");
    }

    static GrpcConfig grpc(DaemonConfig config) {
        DaemonConfig.Grpc grpc = config.grpc();
        return new GrpcConfig(
                config.listen().host(),
                grpc.port(),
                new GrpcConfig.Limits(grpc.streams(), grpc.perConnection(), grpc.messageBytes(), grpc.queueBytes()),
                new GrpcConfig.Times(
                        config.http().times().open(),
                        config.http().times().stall(),
                        grpc.keepAliveMs(),
                        grpc.keepAliveTimeoutMs()),
                tls(grpc.tls()));
    }

    private static GrpcConfig.@Nullable Tls tls(DaemonConfig.@Nullable Tls tls) {
        return tls == null ? null : new GrpcConfig.Tls(tls.certificate(), tls.key(), tls.clientAuthority());
    }

    /** Every event type, the operator's own among them. */
    static EventRegistry registry(DaemonConfig config) {
        return EventRegistry.standard().withFamilies(config.families());
    }

    private static HubConfig.Bounds bounds(DaemonConfig config) {
        DaemonConfig.Sessions sessions = config.sessions();
        DaemonConfig.Subscriptions subscriptions = config.subscriptions();
        return new HubConfig.Bounds(
                config.memory().ringBytes(),
                config.memory().duplicates(),
                subscriptions.windowBytes(),
                subscriptions.maxInFlight(),
                sessions.max(),
                sessions.perIdentity(),
                sessions.perConnection(),
                subscriptions.max(),
                subscriptions.perSession(),
                sessions.conformanceSpaces(),
                sessions.resumeWindowMs(),
                sessions.readyTimeoutMs(),
                history(config.lag()),
                history(config.retention()),
                new HubConfig.Kept(config.audit().bytes(), config.audit().ageMs()));
    }

    private static HubConfig.Retention history(DaemonConfig.History history) {
        return new HubConfig.Retention(history.events(), history.bytes(), history.ageMs());
    }

    private static TaskPolicy tasks(DaemonConfig.Tasks tasks) {
        return new TaskPolicy(
                tasks.timeoutMs(),
                tasks.leaseMs(),
                tasks.minLeaseMs(),
                tasks.cancelGraceMs(),
                tasks.offlineTargetMs(),
                TaskPolicy.Orphans.valueOf(tasks.orphans().toUpperCase(Locale.ROOT)),
                TaskPolicy.OnSessionClosed.valueOf(tasks.onSessionClosed().toUpperCase(Locale.ROOT)),
                new TaskPolicy.Retention(
                        tasks.kept().detailMs(),
                        tasks.kept().keepMs(),
                        tasks.kept().keepCount()),
                new TaskPolicy.Bounds(
                        tasks.bounds().children(),
                        tasks.bounds().depth(),
                        tasks.bounds().live()));
    }

    static JournalOptions journal(DaemonConfig config) {
        return JournalOptions.DEFAULT
                .withSegmentBytes(config.journal().segmentBytes())
                .withBacklogBytes(config.journal().backlogBytes());
    }

    static HttpConfig http(DaemonConfig config) {
        DaemonConfig.Http http = config.http();
        DaemonConfig.Times times = http.times();
        return new HttpConfig(
                config.listen().host(),
                config.listen().port(),
                http.origins(),
                http.trustedHosts(),
                new HttpLimits(
                        http.connections().max(),
                        http.connections().perSecond(),
                        http.connections().burst(),
                        http.sizes().header(),
                        http.sizes().body(),
                        http.sizes().highWatermark(),
                        http.sizes().hardCap()),
                new HttpTimes(
                        times.request(),
                        times.keepAlive(),
                        times.open(),
                        times.stall(),
                        times.closeGrace(),
                        times.streamHeartbeat(),
                        times.longPoll()));
    }
}

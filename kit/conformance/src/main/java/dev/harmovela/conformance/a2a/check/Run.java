package dev.harmovela.conformance.a2a.check;

import dev.harmovela.conformance.a2a.wire.Request;
import dev.harmovela.conformance.a2a.wire.WireException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** One run against one endpoint: what the checks share. */
public final class Run {

    /** How long a check waits for something that takes no time by itself. */
    private static final Duration LONGEST_WAIT = Duration.ofSeconds(10);

    final URI endpoint;
    final Watch watch;
    final Login login;
    final CardFile card;
    final Duration patience;
    final Shapes shapes = Shapes.V1;
    private final List<AgentInterface> interfaces;
    private final Map<String, String> headers;
    private final String mark =
            HexFormat.of().toHexDigits(ThreadLocalRandom.current().nextInt());
    private final AtomicInteger count = new AtomicInteger();

    /**
     * @param endpoint as it was named
     * @param watch how it is reached
     * @param login how the kit logs in
     * @param card its card
     * @param timeout how long to wait for an answer
     * @param headers sent with every call
     */
    public Run(URI endpoint, Watch watch, Login login, CardFile card, Duration timeout, Map<String, String> headers) {
        this.endpoint = endpoint;
        this.watch = watch;
        this.login = login;
        this.card = card;
        this.headers = Map.copyOf(headers);
        patience = timeout.compareTo(LONGEST_WAIT) < 0 ? timeout : LONGEST_WAIT;
        interfaces = AgentInterface.of(card.card());
    }

    /** One caller for each measured binding that speaks that version: the first entry of the card without a tenant. */
    List<Caller> callers(String version) {
        Map<String, AgentInterface> chosen = new LinkedHashMap<>();
        for (AgentInterface each : interfaces(version)) {
            AgentInterface before = chosen.get(each.binding());
            if (before == null || (before.tenant() != null && each.tenant() == null)) {
                chosen.put(each.binding(), each);
            }
        }
        List<Caller> callers = new ArrayList<>();
        for (String binding : List.of(AgentInterface.JSONRPC, AgentInterface.REST, AgentInterface.GRPC)) {
            AgentInterface one = chosen.get(binding);
            if (one != null) {
                callers.add(caller(one));
            }
        }
        return callers;
    }

    /** The card's entries that speak that version and can be called. */
    List<AgentInterface> interfaces(String version) {
        return interfaces.stream()
                .filter(one -> one.speaks(version) && one.uri() != null)
                .filter(one -> one.binding().equals(AgentInterface.JSONRPC)
                        || one.binding().equals(AgentInterface.REST)
                        || one.binding().equals(AgentInterface.GRPC))
                .toList();
    }

    /** Whether the card has an entry of that binding, in any version. */
    boolean offers(String binding) {
        return interfaces.stream().anyMatch(one -> one.binding().equals(binding));
    }

    /** Whether the card has an entry of that version, in any binding. */
    boolean speaks(String version) {
        return interfaces.stream().anyMatch(one -> one.speaks(version));
    }

    /** A caller that logs in and names the extensions that the card asks for. */
    Caller caller(AgentInterface at) {
        return Caller.of(at, watch, request -> login.sign(plain(request)));
    }

    /** A caller without credentials. */
    Caller anonymous(AgentInterface at) {
        return Caller.of(at, watch, this::plain);
    }

    /** The request with headers and credentials on it. */
    Request signed(Request request) {
        return login.sign(request.with(headers));
    }

    private Request plain(Request request) {
        List<String> required = card.requiredExtensions();
        Request more = request.with(headers);
        return required.isEmpty() ? more : more.with(Map.of(Caller.EXTENSIONS, String.join(", ", required)));
    }

    /** A name that nothing else in this run has, behind that prefix. */
    String fresh(String prefix) {
        return prefix + "-" + mark + "-" + count.incrementAndGet();
    }

    /** Runs a check where it belongs. */
    public Outcome run(Check check, String version) {
        if (check.scope() == Check.Scope.RUN) {
            return ask(check, null);
        }
        Map<String, Outcome> outcomes = new LinkedHashMap<>();
        for (Caller caller : callers(version)) {
            boolean wanted = switch (check.scope()) {
                case JSONRPC -> caller.isJsonRpc();
                case REST -> caller.isRest();
                case GRPC -> caller.isGrpc();
                case FIRST -> outcomes.isEmpty();
                case EACH, RUN -> true;
            };
            if (wanted) {
                outcomes.put(caller.at.binding(), ask(check, caller));
            }
        }
        return outcomes.isEmpty()
                ? Outcome.of(Outcome.Status.NOT_APPLICABLE, "the card offers no interface for it in version " + version)
                : Outcome.worst(outcomes);
    }

    private Outcome ask(Check check, @Nullable Caller caller) {
        return ask(check.body(), new Probe(this, caller));
    }

    static Outcome ask(Check.Body body, Probe probe) {
        try {
            body.run(probe);
            return new Outcome(Outcome.Status.PASS, null, probe.notes());
        } catch (Verdict verdict) {
            return new Outcome(verdict.status(), verdict.text(), probe.notes());
        } catch (WireException failed) {
            Outcome.Status status = switch (failed.kind()) {
                case FORBIDDEN -> Outcome.Status.SKIP;
                case INEXPRESSIBLE -> Outcome.Status.NOT_APPLICABLE;
                case UNREACHABLE, TIMEOUT, TOO_LARGE, BROKEN -> Outcome.Status.FAIL;
            };
            return new Outcome(status, failed.getMessage(), probe.notes());
        } catch (RuntimeException fault) {
            return new Outcome(Outcome.Status.SKIP, "the kit itself failed: " + fault, probe.notes());
        }
    }
}

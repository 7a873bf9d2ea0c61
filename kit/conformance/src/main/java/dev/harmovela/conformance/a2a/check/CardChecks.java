package dev.harmovela.conformance.a2a.check;

import dev.harmovela.conformance.a2a.wire.Answer;
import dev.harmovela.conformance.a2a.wire.Request;
import dev.harmovela.conformance.a2a.wire.WireException;
import dev.harmovela.contract.json.Json;
import dev.harmovela.contract.json.JsonException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The public card. */
final class CardChecks {

    private static final String ROW = "agent-card.v1-required-fields";
    private static final String FOREIGN = "kit-foreign-host.example";

    static final List<Check> TABLE = List.of(
            check("card.content-type", "the card is served as JSON", CardChecks::contentType),
            check("card.schema", "the card is an AgentCard of 1.0 with its required fields", CardChecks::schema),
            check("card.versions", "each interface answers in the version it declares", CardChecks::versions),
            check("card.cache-headers", "Cache-Control with max-age, an ETag, and 304 for it", CardChecks::cache),
            check("card.forwarded-host", "a forged host does not get into the card", CardChecks::forged),
            check("card.signatures", "signatures are JWS with alg and kid", CardChecks::signatures));

    private CardChecks() {}

    private static Check check(String id, String title, Check.Body body) {
        return new Check(id, ROW, Check.Scope.RUN, title, probe -> {
            probe.require(!probe.run.card.card().isEmpty(), "there is no card");
            body.run(probe);
        });
    }

    private static void contentType(Probe probe) throws Verdict {
        String type = probe.run.card.answer().mediaType();
        probe.require(
                type.equals("application/json") || type.equals("application/a2a+json"),
                "Content-Type application/json expected, got \"" + type + "\"");
    }

    private static void schema(Probe probe) throws Verdict {
        probe.shaped("AgentCard", probe.run.card.card());
    }

    private static void versions(Probe probe) throws WireException, Verdict {
        List<AgentInterface> all = AgentInterface.of(probe.run.card.card());
        for (AgentInterface each : all) {
            probe.require(
                    each.version().matches("\\d+\\.\\d+"),
                    each.label() + ": protocolVersion Major.Minor expected, got " + each.version());
            probe.require(
                    each.binding().equals(AgentInterface.GRPC) || each.uri() != null,
                    each.label() + ": its url is no absolute address");
        }
        probe.require(probe.run.speaks("1.0"), "no interface of version 1.0");
        for (AgentInterface each : probe.run.interfaces("1.0")) {
            Reply reply = probe.run.caller(each).call(Operation.GET, Probe.id(probe.run.fresh("no-such-task")));
            boolean known = reply.problem() != null
                    && (reply.problem().is(A2aError.TASK_NOT_FOUND)
                            || reply.problem().isAboutCredentials());
            probe.require(known, each.label() + ": does not answer in version 1.0: " + reply.brief());
        }
    }

    private static void cache(Probe probe) throws WireException, Verdict {
        Answer answer = probe.run.card.answer();
        String control = answer.header("Cache-Control");
        String tag = answer.header("ETag");
        probe.require(control != null && control.contains("max-age"), "Cache-Control with max-age expected");
        probe.require(tag != null, "an ETag expected");
        Answer again = fetch(probe, Map.of("If-None-Match", tag));
        probe.require(again.status() == 304, "If-None-Match: 304 expected, got HTTP " + again.status());
    }

    private static void forged(Probe probe) throws WireException, Verdict {
        Answer answer = fetch(probe, Map.of("X-Forwarded-Host", FOREIGN, "Forwarded", "host=" + FOREIGN));
        probe.require(!answer.body().contains(FOREIGN), "the card repeats the X-Forwarded-Host of the request");
    }

    private static Answer fetch(Probe probe, Map<String, String> headers) throws WireException {
        Request request = CardFile.request(probe.run.card.at(), "1.0").with(headers);
        return probe.run.watch.send(probe.run.login.sign(request));
    }

    private static void signatures(Probe probe) throws Verdict {
        List<Json> signatures = Probe.list(probe.run.card.card(), "signatures");
        if (signatures.isEmpty()) {
            throw probe.notApplicable("the card is not signed");
        }
        for (Json each : signatures) {
            Json.Obj header = probe.present(
                    each instanceof Json.Obj one ? decoded(one.string("protected")) : null,
                    "a signature's protected header is no base64url of a JSON object");
            probe.require(header.string("alg") != null && !"none".equals(header.string("alg")), "alg is missing");
            probe.require(header.string("kid") != null, "kid is missing");
        }
        probe.note("the signatures' form was looked at; they were not verified against a key");
    }

    private static Json.@Nullable Obj decoded(@Nullable String text) {
        try {
            byte[] bytes = Base64.getUrlDecoder().decode(text == null ? "" : text);
            return Json.parse(new String(bytes, StandardCharsets.UTF_8)) instanceof Json.Obj object ? object : null;
        } catch (IllegalArgumentException | JsonException unreadable) {
            return null;
        }
    }
}

package dev.harmovela.transport.link;

import dev.harmovela.contract.TypePattern;
import dev.harmovela.contract.json.Json;
import dev.harmovela.contract.json.JsonException;
import dev.harmovela.spi.Caller;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads the links of a hub and checks them as a whole: one thing wrong, and none of it holds. */
public final class LinkReader {

    private static final long VERSION = 1;
    private static final int MOST = 64;
    private static final String DEFAULT_HOST = "localhost";
    private static final Set<String> MEMBERS = Set.of(
            "name",
            "kind",
            "url",
            "prefix",
            "tenant",
            "mode",
            "routing",
            "speaks_for",
            "roles",
            "types",
            "hubs",
            "stream",
            "create",
            "max_payload_size",
            "credentials");

    private LinkReader() {}

    /** Reads a whole file: {@code {"version": 1, "links": […]}}. */
    public static List<LinkSettings> read(String text) throws LinkProblem {
        Json content;
        try {
            content = Json.parse(text);
        } catch (JsonException broken) {
            throw new LinkProblem("it is not JSON: " + broken.getMessage());
        }
        if (!(content instanceof Json.Obj file)) {
            throw new LinkProblem("it is not a JSON object");
        }
        Long version = file.integer("version");
        if (version == null || version != VERSION) {
            throw new LinkProblem("version must be " + VERSION);
        }
        Json.Arr links = file.array("links");
        if (links == null) {
            throw new LinkProblem("links must be an array");
        }
        List<LinkSettings> read = new ArrayList<>();
        for (Json one : links.items()) {
            if (!(one instanceof Json.Obj link)) {
                throw new LinkProblem("links." + read.size() + " must be an object");
            }
            read.add(link(link));
        }
        return checked(read);
    }

    /** The text of a file with these links. */
    public static String write(List<LinkSettings> links) {
        List<Json> all = new ArrayList<>();
        links.forEach(link -> all.add(link.toJson()));
        return Json.Obj.builder()
                .put("version", VERSION)
                .put("links", new Json.Arr(all))
                .build()
                .toString();
    }

    /** Checks that links fit together: one prefix on one broker belongs to one of them (D36). */
    public static List<LinkSettings> checked(List<LinkSettings> links) throws LinkProblem {
        Set<String> names = new HashSet<>();
        Map<String, String> claimed = new LinkedHashMap<>();
        if (links.size() > MOST) {
            throw new LinkProblem("there are more than " + MOST + " links");
        }
        for (LinkSettings link : links) {
            if (!names.add(link.name())) {
                throw new LinkProblem("the link " + link.name() + " is there twice");
            }
            if (link.mode() == LinkMode.IMPORT) {
                continue;
            }
            String place = link.kind() + " " + link.url() + " " + link.prefix();
            String owner = claimed.put(place, link.name());
            if (owner != null) {
                throw new LinkProblem(
                        link.name() + ".prefix: " + link.prefix() + " on that broker belongs to the link " + owner);
            }
        }
        return List.copyOf(links);
    }

    /** Reads one link. */
    public static LinkSettings link(Json.Obj link) throws LinkProblem {
        for (String member : link.names()) {
            if (!MEMBERS.contains(member)) {
                throw new LinkProblem("there is no member " + member + " in a link");
            }
        }
        String name = text(link, "name", null);
        if (!name.matches("[a-z0-9][a-z0-9_-]{0,39}")) {
            throw new LinkProblem("name must be 1 to 40 of a-z, 0-9, - and _");
        }
        String url = text(link, "url", null);
        LinkKind kind = kind(link, url);
        String prefix = text(link, "prefix", LinkSettings.PREFIX);
        if (!prefix.matches("[A-Za-z0-9_{}-]+(\\.[A-Za-z0-9_{}-]+)*") || prefix.length() > 100) {
            throw new LinkProblem("prefix must be made of letters, digits, -, _ and single dots");
        }
        LinkMode mode = LinkMode.ofWire(text(link, "mode", LinkMode.TRANSPORT.wire()));
        Routing routing =
                Routing.ofWire(text(link, "routing", kind.defaultRouting().wire()));
        if (mode == null || routing == null) {
            throw new LinkProblem(
                    mode == null ? "mode must be transport, export or import" : "routing must be single or mapped");
        }
        Long most = link.has("max_payload_size") ? link.integer("max_payload_size") : null;
        if (link.has("max_payload_size") && (most == null || most < 1024 || most > 64 << 20)) {
            throw new LinkProblem("max_payload_size must be a number from 1024 to " + (64 << 20));
        }
        String stream = link.string("stream");
        if (stream != null && (kind != LinkKind.NATS || !stream.matches("[A-Za-z0-9_-]{1,64}"))) {
            throw new LinkProblem("stream is the name of a JetStream stream, and for NATS only");
        }
        return new LinkSettings(
                name,
                kind,
                url,
                prefix,
                text(link, "tenant", Caller.DEFAULT_TENANT),
                mode,
                routing,
                identities(link),
                texts(link, "roles", List.of(defaultRole(mode))),
                types(link),
                texts(link, "hubs", List.of()),
                stream,
                Boolean.TRUE.equals(link.bool("create")),
                most == null ? LinkSettings.MAX_PAYLOAD : most.intValue(),
                credentials(link));
    }

    private static String defaultRole(LinkMode mode) {
        return switch (mode) {
            case TRANSPORT -> "supervisor";
            case EXPORT -> "viewer";
            case IMPORT -> "publisher";
        };
    }

    private static LinkKind kind(Json.Obj link, String url) throws LinkProblem {
        try {
            for (String one : url.split(",", -1)) {
                URI address = new URI(one.contains("://") ? one : "any://" + one);
                if (address.getRawUserInfo() != null) {
                    throw new LinkProblem("url must not hold a user or password; put them under credentials");
                }
            }
            String scheme = new URI(url.split(",", -1)[0]).getScheme();
            LinkKind meant = scheme == null ? null : LinkKind.ofScheme(scheme);
            String named = link.string("kind");
            LinkKind kind = named == null ? meant : LinkKind.ofWire(named);
            if (kind == null || meant != kind) {
                throw new LinkProblem(
                        "url must begin with nats://, tls://, kafka://, kafkas://, redis:// or rediss://");
            }
            return kind;
        } catch (URISyntaxException broken) {
            throw new LinkProblem("url is no address: " + broken.getReason());
        }
    }

    /** Host and port of the first address of a link. */
    public static URI address(LinkSettings link, int defaultPort) {
        URI first = URI.create(link.url().split(",", -1)[0]);
        String host = first.getHost() == null ? DEFAULT_HOST : first.getHost();
        int port = first.getPort() < 0 ? defaultPort : first.getPort();
        String path = first.getPath() == null ? "" : first.getPath();
        return URI.create(first.getScheme() + "://" + host + ":" + port + path);
    }

    private static List<String> identities(Json.Obj link) throws LinkProblem {
        List<String> globs = texts(link, "speaks_for", List.of());
        for (String glob : globs) {
            boolean hubs = glob.startsWith("harness:") || glob.startsWith("runtime:") || glob.startsWith("*");
            if (hubs || !glob.matches("[a-z]+:\\S+")) {
                throw new LinkProblem("speaks_for: " + glob + " must be like agent:* and never harness: or runtime:");
            }
        }
        return globs;
    }

    private static List<String> types(Json.Obj link) throws LinkProblem {
        List<String> types = texts(link, "types", List.of("*"));
        for (String pattern : types) {
            String problem = TypePattern.problem(pattern);
            if (problem != null) {
                throw new LinkProblem("types: " + problem);
            }
        }
        return types;
    }

    private static Map<String, String> credentials(Json.Obj link) throws LinkProblem {
        Map<String, String> kept = new LinkedHashMap<>();
        Json.Obj given = link.object("credentials");
        if (given == null) {
            return kept;
        }
        for (String name : given.names()) {
            String value = given.string(name);
            if (!Secret.KNOWN.contains(name) || value == null || value.isEmpty()) {
                throw new LinkProblem("credentials: there is no credential " + name + " like that");
            }
            if (!Secret.OPEN.contains(name) && !Secret.isReference(value)) {
                throw new LinkProblem(
                        "credentials." + name + " must say where the secret is: env:NAME or file:PATH, never itself");
            }
            kept.put(name, value);
        }
        return kept;
    }

    private static String text(Json.Obj link, String name, @Nullable String otherwise) throws LinkProblem {
        String value = link.string(name);
        if (value == null && (link.has(name) || otherwise == null)) {
            throw new LinkProblem(name + " must be a text");
        }
        return value == null ? String.valueOf(otherwise) : value;
    }

    private static List<String> texts(Json.Obj link, String name, List<String> otherwise) throws LinkProblem {
        if (!link.has(name)) {
            return otherwise;
        }
        Json.Arr array = link.array(name);
        if (array == null) {
            throw new LinkProblem(name + " must be an array of texts");
        }
        List<String> texts = new ArrayList<>();
        for (Json item : array.items()) {
            if (!(item instanceof Json.Str text)) {
                throw new LinkProblem(name + " must be an array of texts");
            }
            texts.add(text.value());
        }
        return texts;
    }
}

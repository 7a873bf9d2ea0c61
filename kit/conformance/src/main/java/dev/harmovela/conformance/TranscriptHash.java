package dev.harmovela.conformance;

import dev.harmovela.contract.json.Json;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A hash of what was said, equal for equal conversations.
 *
 * <p>Answers stand behind the line that caused them. Ids, cursors and times that the target made are replaced by the
 * order in which they first appear; everything that stands in the fixture itself is kept. Members are sorted by name,
 * copies that subscriptions brought are left out, and so is the session that a transport needs and another does not.
 */
final class TranscriptHash {

    private static final Pattern TIME = Pattern.compile("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d.*");
    private static final Pattern GENERATED = Pattern.compile("[a-z]+[_-][0-9A-HJKMNP-TV-Za-hjkmnp-tv-z]{26}");
    private static final Set<String> MADE = Set.of(
            "id",
            "session_id",
            "subscription_id",
            "cursor",
            "from_cursor",
            "to_cursor",
            "next_cursor",
            "earliest",
            "latest",
            "handoff_token");
    private static final long OLDEST_MILLIS = 1_000_000_000_000L;

    private final MessageDigest digest;

    TranscriptHash() {
        try {
            digest = MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }

    /** Adds a text as it is. */
    void add(String text) {
        line(text);
    }

    /** Adds the conversation about one fixture. */
    void add(String fixture, Conversation conversation) {
        Names names = new Names(conversation.lines());
        Attribution answers = conversation.attribution();
        line("fixture " + fixture);
        for (int i = 0; i < conversation.lines().size(); i++) {
            line("> " + conversation.lines().get(i).text());
            Attribution.Effects effects = answers.effects(i);
            effects.direct().forEach(answer -> line("< " + names.canonical(answer)));
            effects.emitted().forEach(event -> line("+ " + names.canonical(event)));
        }
        answers.strays().forEach(stray -> line("? " + names.canonical(stray)));
    }

    /** The hash over everything added, in hexadecimal; this object is used up. */
    String finish() {
        return HexFormat.of().formatHex(digest.digest());
    }

    private void line(String text) {
        digest.update((text + "\n").getBytes(StandardCharsets.UTF_8));
    }

    /** The replacements of one conversation. */
    private static final class Names {

        private final Set<String> given = new HashSet<>();
        private final Map<String, String> made = new HashMap<>();
        private int times;

        Names(List<SentLine> lines) {
            for (SentLine line : lines) {
                if (line.event() != null) {
                    collect(line.event());
                }
                if (line.id() != null) {
                    given.add(line.id());
                }
            }
        }

        private void collect(Json value) {
            switch (value) {
                case Json.Str s -> given.add(s.value());
                case Json.Arr a -> a.items().forEach(this::collect);
                case Json.Obj o -> o.forEach((_, member) -> collect(member));
                case Json.Num _, Json.Bool _, Json.Null _ -> {}
            }
        }

        String canonical(Json.Obj event) {
            String session = event.string("session_id");
            Json.Obj shown = session == null || given.contains(session) ? event : event.without("session_id");
            return canonical("", shown).toString();
        }

        private Json canonical(String member, Json value) {
            return switch (value) {
                case Json.Obj o -> {
                    Json.Builder sorted = Json.Obj.builder();
                    for (String name : new TreeSet<>(o.names())) {
                        Json inner = o.raw(name);
                        sorted.put(name, inner == null ? null : canonical(name, inner));
                    }
                    yield sorted.build();
                }
                case Json.Arr a -> {
                    List<Json> items = new ArrayList<>();
                    a.items().forEach(item -> items.add(canonical(member, item)));
                    yield new Json.Arr(items);
                }
                case Json.Str s -> Json.of(replaced(member, s.value()));
                case Json.Num n -> isTime(n) ? Json.of("<time>") : n;
                case Json.Bool b -> b;
                case Json.Null none -> none;
            };
        }

        private static boolean isTime(Json.Num number) {
            return number.text().length() == 13
                    && number.text().chars().allMatch(Character::isDigit)
                    && Long.parseLong(number.text()) >= OLDEST_MILLIS;
        }

        private String replaced(String member, String text) {
            if (given.contains(text)) {
                return text;
            }
            if (TIME.matcher(text).matches()) {
                return "<time " + ++times + ">";
            }
            if (MADE.contains(member) || GENERATED.matcher(text).matches()) {
                return name(text);
            }
            return GENERATED.matcher(text).replaceAll(found -> Matcher.quoteReplacement(name(found.group())));
        }

        private String name(String text) {
            return given.contains(text) ? text : made.computeIfAbsent(text, _ -> "<" + (made.size() + 1) + ">");
        }
    }
}

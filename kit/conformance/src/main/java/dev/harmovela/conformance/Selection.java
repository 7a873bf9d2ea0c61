package dev.harmovela.conformance;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Which fixtures run, by profile and level (§14; the three rules of profile filtering).
 *
 * @param profile the name under which the suite has the profile, or null for all
 * @param level the highest level that runs
 * @param fixtures all fixtures in order, those left out with a reason
 */
record Selection(@Nullable String profile, String level, List<Choice> fixtures) {

    /** The name that runs the fixtures without a profile alone. */
    static final String CORE = "core";

    private static final Set<String> A2A = Set.of("official-a2a-v1.0", "legacy-a2amesh", "experimental-a2a-v1.2");

    /** A fixture, and why it is left out, or null. */
    record Choice(Suite.Fixture fixture, @Nullable String leftOut) {}

    /** Chooses; {@link UsageException} when the suite has no such profile or level. */
    static Selection of(Suite suite, @Nullable String profile, @Nullable String level) {
        String name = profile == null ? null : profileName(suite, profile);
        String highest = level == null ? suite.defaultLevel() : levelName(suite, level);
        List<Choice> choices = new ArrayList<>();
        for (Suite.Fixture fixture : suite.content().fixtures()) {
            String reason = leftOut(suite, fixture, name);
            if (reason == null
                    && suite.levels().indexOf(fixture.level()) > suite.levels().indexOf(highest)) {
                reason = "level " + fixture.level() + " is above " + highest;
            }
            choices.add(new Choice(fixture, reason));
        }
        return new Selection(name, highest, List.copyOf(choices));
    }

    /** Adds what the own manifest of the profile lists and this selection does not have yet. */
    Selection deepened(Suite own) {
        Set<String> known = new HashSet<>();
        List<Choice> choices = new ArrayList<>(fixtures);
        fixtures.forEach(choice -> known.add(choice.fixture().file()));
        for (Choice choice : of(own, null, level).fixtures()) {
            if (known.add(choice.fixture().file())) {
                Suite.Fixture f = choice.fixture();
                choices.add(new Choice(
                        new Suite.Fixture(f.file(), f.file(), f.level(), f.expectation(), f.profile(), f.raw()),
                        choice.leftOut()));
            }
        }
        return new Selection(profile, level, List.copyOf(choices));
    }

    /** The identifier of a profile of a suite: {@code delivery} is {@code harmovela.delivery.v1}. */
    static String fullIdentifier(String name) {
        return name.startsWith("harmovela.") ? name : "harmovela." + name + ".v1";
    }

    private static @Nullable String leftOut(Suite suite, Suite.Fixture fixture, @Nullable String selected) {
        String own = fixture.profile();
        if (selected == null || own == null) {
            return null;
        }
        if (!fullIdentifier(own).equals(fullIdentifier(selected))) {
            return "belongs to the profile " + own;
        }
        List<String> listed = suite.content().profiles().getOrDefault(selected, List.of());
        return listed.contains(fixture.path()) ? null : "the profile " + selected + " does not list it";
    }

    private static String profileName(Suite suite, String asked) {
        if (A2A.contains(asked)) {
            throw new UsageException(
                    "the profile " + asked + " judges A2A agents: run ./a2amesh conformance URL --profile " + asked);
        }
        for (String name : suite.content().profiles().keySet()) {
            boolean transport = name.equals("transport." + asked);
            if (name.equals(asked) || fullIdentifier(name).equals(asked) || transport) {
                return name;
            }
        }
        if (asked.equals(CORE) || asked.equals(fullIdentifier(CORE))) {
            return CORE;
        }
        Set<String> known = new TreeSet<>(suite.content().profiles().keySet());
        known.add(CORE);
        throw new UsageException("unknown profile " + asked + "; there are " + String.join(", ", known));
    }

    private static String levelName(Suite suite, String asked) {
        for (String level : suite.levels()) {
            if (level.equalsIgnoreCase(asked) || level.equalsIgnoreCase("HARMOVELA-" + asked)) {
                return level;
            }
        }
        throw new UsageException("unknown level " + asked + "; there are " + String.join(", ", suite.levels()));
    }
}

package dev.harmovela.architecture;

import static com.tngtech.archunit.lang.conditions.ArchConditions.accessTargetWhere;
import static com.tngtech.archunit.lang.conditions.ArchConditions.dependOnClassesThat;
import static com.tngtech.archunit.lang.conditions.ArchConditions.never;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The core is handed its time, ids and bytes: it reads no clock, draws no number, starts no thread, opens nothing. */
class CoreIsPureTest {

    /** Static methods that read a clock or a source of randomness. */
    private static final Set<String> AMBIENT_CALLS = Set.of(
            "java.lang.System.currentTimeMillis",
            "java.lang.System.nanoTime",
            "java.lang.Math.random",
            "java.util.UUID.randomUUID",
            "java.time.Instant.now",
            "java.time.LocalDate.now",
            "java.time.LocalDateTime.now",
            "java.time.OffsetDateTime.now",
            "java.time.ZonedDateTime.now",
            "java.time.Clock.systemUTC",
            "java.time.Clock.systemDefaultZone",
            "java.time.Clock.system");

    private static final Set<String> AMBIENT_TYPES = Set.of(
            "java.lang.Thread",
            "java.lang.ThreadLocal",
            "java.security.SecureRandom",
            "java.util.Timer",
            "java.util.concurrent.ThreadLocalRandom",
            "java.util.concurrent.Executors",
            "java.util.concurrent.ForkJoinPool");

    private static final Set<String> AMBIENT_PACKAGES =
            Set.of("java.net", "java.net.http", "java.sql", "javax.sql", "java.nio.file", "java.nio.channels");

    /** Plain values that only happen to live in a package of sockets. */
    private static final Set<String> VALUES = Set.of("java.net.URI", "java.net.URISyntaxException");

    @ParameterizedTest
    @ValueSource(strings = {"contract", "dimensions", "spi", "harness"})
    void readsNoClockAndDrawsNoNumber(String name) {
        Module module = Module.named(name);
        classes()
                .that()
                .resideInAPackage(module.packages())
                .should(never(accessTargetWhere(ambientCall())))
                .allowEmptyShould(module.floor() == 0)
                .check(CodeBase.CLASSES);
    }

    @ParameterizedTest
    @ValueSource(strings = {"contract", "dimensions", "spi", "harness"})
    void touchesNoThreadSocketFileOrDatabase(String name) {
        Module module = Module.named(name);
        classes()
                .that()
                .resideInAPackage(module.packages())
                .should(never(dependOnClassesThat(ambientType())))
                .allowEmptyShould(module.floor() == 0)
                .check(CodeBase.CLASSES);
    }

    private static DescribedPredicate<JavaAccess<?>> ambientCall() {
        return DescribedPredicate.describe(
                "reads a clock or a source of randomness",
                call -> AMBIENT_CALLS.contains(
                        call.getTargetOwner().getName() + "." + call.getTarget().getName()));
    }

    private static DescribedPredicate<JavaClass> ambientType() {
        return DescribedPredicate.describe(
                "belong to threads, sockets, files or databases",
                type -> !VALUES.contains(type.getName())
                        && (AMBIENT_TYPES.contains(type.getName())
                                || AMBIENT_PACKAGES.contains(type.getPackageName())));
    }
}

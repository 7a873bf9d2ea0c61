package dev.harmovela.architecture;

import static com.tngtech.archunit.lang.conditions.ArchConditions.accessField;
import static com.tngtech.archunit.lang.conditions.ArchConditions.never;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaPackage;
import java.util.List;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;

/** Small habits that hold in every module. */
class HygieneTest {

    @Test
    void everyPackageIsNullMarked() {
        List<JavaPackage> packages =
                CodeBase.CLASSES.stream().map(JavaClass::getPackage).distinct().toList();
        assertThat(packages)
                .isNotEmpty()
                .allSatisfy(found -> assertThat(found.isAnnotatedWith(NullMarked.class))
                        .as("package-info of %s carries @NullMarked", found.getName())
                        .isTrue());
    }

    @Test
    void nobodyThrowsABareRuntimeException() {
        noClasses()
                .that()
                .areNotAssignableTo(RuntimeException.class)
                .should()
                .callConstructor(RuntimeException.class, String.class)
                .orShould()
                .callConstructor(RuntimeException.class, String.class, Throwable.class)
                .orShould()
                .callConstructor(RuntimeException.class, Throwable.class)
                .orShould()
                .callConstructor(RuntimeException.class)
                .as("a broken rule is an IllegalStateException, a broken world a named exception, a refusal a value")
                .check(CodeBase.CLASSES);
    }

    @Test
    void onlyTheEdgeWritesToTheConsole() {
        classes()
                .that()
                .resideOutsideOfPackages(
                        "dev.harmovela.cli..",
                        "dev.harmovela.runtime..",
                        "dev.harmovela.bench..",
                        "dev.harmovela.transport.stdio..")
                .should(never(accessField(System.class, "out")))
                .andShould(never(accessField(System.class, "err")))
                .check(CodeBase.CLASSES);
    }
}

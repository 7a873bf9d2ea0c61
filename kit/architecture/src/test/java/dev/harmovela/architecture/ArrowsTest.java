package dev.harmovela.architecture;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Who may depend on whom. */
class ArrowsTest {

    static Stream<Module> modules() {
        return Module.ALL.stream();
    }

    @ParameterizedTest
    @MethodSource("modules")
    void aModuleNamesOnlyWhatItsRowAllows(Module module) {
        classes()
                .that()
                .resideInAPackage(module.packages())
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage(module.allowed())
                .allowEmptyShould(module.floor() == 0)
                .as("module " + module.name() + " uses only " + String.join(", ", module.allowed()))
                .check(CodeBase.CLASSES);
    }

    @ParameterizedTest
    @MethodSource("modules")
    void aModuleHoldsAtLeastItsFloorOfClasses(Module module) {
        assertThat(CodeBase.of(module))
                .as("classes of module %s; lower the floor only when code was removed on purpose", module.name())
                .hasSizeGreaterThanOrEqualTo(module.floor());
    }

    @Test
    void everyClassBelongsToARowOfTheTable() {
        Set<String> known = new TreeSet<>();
        Module.ALL.forEach(module -> CodeBase.of(module).forEach(type -> known.add(type.getName())));
        assertThat(CodeBase.CLASSES.stream()
                        .filter(type -> !type.getSimpleName().equals("package-info"))
                        .map(JavaClass::getName))
                .allMatch(known::contains, "is in a module of the table");
    }

    @Test
    void packagesFormNoCycle() {
        slices().matching("dev.harmovela.(**)").should().beFreeOfCycles().check(CodeBase.CLASSES);
    }

    @Test
    void dimensionsDoNotKnowEachOther() {
        slices().matching("dev.harmovela.dimension.(*)..")
                .should()
                .notDependOnEachOther()
                .check(CodeBase.CLASSES);
    }

    @Test
    void aPackageLivesInOneModule() {
        Map<String, Set<String>> homes = new TreeMap<>();
        for (JavaClass type : CodeBase.CLASSES) {
            String path = type.getSource().orElseThrow().getUri().toString();
            String home = path.substring(0, path.lastIndexOf("dev/harmovela"));
            homes.computeIfAbsent(type.getPackageName(), name -> new TreeSet<>())
                    .add(home);
        }
        assertThat(homes).isNotEmpty().allSatisfy((name, at) -> assertThat(at).hasSize(1));
    }
}

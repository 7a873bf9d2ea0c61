package dev.harmovela.architecture;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.util.List;

/** The main classes of every module, read once. */
final class CodeBase {

    static final JavaClasses CLASSES = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages("dev.harmovela");

    private CodeBase() {}

    /** The classes of one module, without its package descriptions. */
    static List<JavaClass> of(Module module) {
        String root = module.packages().substring(0, module.packages().length() - "..".length());
        return CLASSES.stream()
                .filter(type -> type.getPackageName().equals(root)
                        || type.getPackageName().startsWith(root + "."))
                .filter(type -> !type.getSimpleName().equals("package-info"))
                .toList();
    }
}

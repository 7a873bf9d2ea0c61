package dev.harmovela.architecture;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.SAXException;

/** Keeps docs/reference/modules.md equal to what the build files say, so that a new dependency shows in review. */
class ModuleReferenceTest {

    private static final String HEAD = """
            # Modules

            Generated from the build files by `./dev golden architecture`. Dependencies of tests are left out.

            | module | what it holds | our modules | libraries |
            |---|---|---|---|
            """;

    @Test
    void theReferenceNamesEveryModuleAndItsDependencies() throws Exception {
        StringBuilder page = new StringBuilder(HEAD);
        for (String folder : texts(read(Checkout.ROOT.resolve("pom.xml")), "module")) {
            page.append(row(folder, read(Checkout.ROOT.resolve(folder).resolve("pom.xml"))))
                    .append('\n');
        }
        Checkout.golden("docs/reference/modules.md", page.toString());
    }

    private static String row(String folder, Element pom) {
        List<String> ours = new ArrayList<>();
        List<String> libraries = new ArrayList<>();
        NodeList dependencies = pom.getElementsByTagName("dependency");
        for (int i = 0; i < dependencies.getLength(); i++) {
            Element dependency = (Element) dependencies.item(i);
            if (texts(dependency, "scope").contains("test")) {
                continue;
            }
            String artifact = texts(dependency, "artifactId").getFirst();
            if (texts(dependency, "groupId").contains("dev.harmovela")) {
                ours.add(artifact.substring("harmovela-".length()));
            } else {
                libraries.add(artifact);
            }
        }
        return "| %s | %s | %s | %s |"
                .formatted(
                        folder,
                        texts(pom, "description").getFirst(),
                        String.join(", ", ours),
                        String.join(", ", libraries));
    }

    private static Element read(Path pom) throws ParserConfigurationException, IOException, SAXException {
        return DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(pom.toFile())
                .getDocumentElement();
    }

    private static List<String> texts(Element parent, String tag) {
        NodeList found = parent.getElementsByTagName(tag);
        List<String> texts = new ArrayList<>();
        for (int i = 0; i < found.getLength(); i++) {
            texts.add(found.item(i).getTextContent().strip());
        }
        return texts;
    }
}

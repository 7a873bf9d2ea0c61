package dev.harmovela.transport.link;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.harmovela.contract.json.Json;
import java.util.List;
import org.junit.jupiter.api.Test;

/** D36, D37: what a link may be. */
class LinkReaderTest {

    private static LinkSettings link(String members) throws LinkProblem {
        return LinkReader.link((Json.Obj) Json.parse("{\"name\":\"one\"," + members + "}"));
    }

    @Test
    void defaultsAreThoseOfTheProtocol() throws LinkProblem {
        LinkSettings nats = link("\"url\":\"nats://broker:4222\"");
        assertThat(nats.kind()).isEqualTo(LinkKind.NATS);
        assertThat(nats.prefix()).isEqualTo("aep");
        assertThat(nats.tenant()).isEqualTo("default");
        assertThat(nats.mode()).isEqualTo(LinkMode.TRANSPORT);
        assertThat(nats.routing()).isEqualTo(Routing.MAPPED);
        assertThat(nats.speaksFor()).isEmpty();
        assertThat(nats.create()).isFalse();
        assertThat(nats.stream()).isNull();
        assertThat(link("\"url\":\"redis://x\"").routing()).isEqualTo(Routing.SINGLE);
        assertThat(link("\"url\":\"kafka://x:1,y:2\"").routing()).isEqualTo(Routing.SINGLE);
    }

    @Test
    void whatIsWrittenReadsTheSame() throws LinkProblem {
        LinkSettings link = link("\"url\":\"nats://x\",\"stream\":\"S\",\"speaks_for\":[\"agent:w*\"],\"create\":true,"
                + "\"credentials\":{\"token\":\"env:T\",\"user\":\"u\"}");
        assertThat(LinkReader.read(LinkReader.write(List.of(link)))).containsExactly(link);
    }

    @Test
    void secretsAreNamedAndNeverGiven() {
        assertThatThrownBy(() -> link("\"url\":\"redis://u:secret@x\""))
                .isInstanceOf(LinkProblem.class)
                .hasMessageNotContaining("secret");
        assertThatThrownBy(() -> link("\"url\":\"redis://x\",\"credentials\":{\"password\":\"hunter2\"}"))
                .isInstanceOf(LinkProblem.class)
                .hasMessageContaining("credentials.password")
                .hasMessageNotContaining("hunter2");
    }

    @Test
    void nobodySpeaksForHubs() {
        for (String glob : List.of("harness:*", "runtime:x", "*")) {
            assertThatThrownBy(() -> link("\"url\":\"redis://x\",\"speaks_for\":[\"" + glob + "\"]"))
                    .isInstanceOf(LinkProblem.class);
        }
    }

    @Test
    void aPrefixBelongsToOneLink() throws LinkProblem {
        LinkSettings one = link("\"url\":\"redis://x\"");
        LinkSettings two = LinkReader.link((Json.Obj) Json.parse("{\"name\":\"two\",\"url\":\"redis://x\"}"));
        assertThatThrownBy(() -> LinkReader.checked(List.of(one, two))).hasMessageContaining("belongs to the link one");
        assertThatThrownBy(() -> LinkReader.checked(List.of(one, one))).hasMessageContaining("twice");
    }

    @Test
    void otherMembersAndBrokersAreRefused() {
        for (String wrong : List.of(
                "\"url\":\"http://x\"",
                "\"url\":\"redis://x\",\"kind\":\"kafka\"",
                "\"url\":\"redis://x\",\"stream\":\"S\"",
                "\"url\":\"redis://x\",\"prefix\":\"a b\"",
                "\"url\":\"redis://x\",\"more\":1",
                "\"url\":\"redis://x\",\"max_payload_size\":1")) {
            assertThatThrownBy(() -> link(wrong)).as(wrong).isInstanceOf(LinkProblem.class);
        }
    }

    @Test
    void globsOfIdentities() {
        assertThat(Peers.Globs.matches("agent:*", "agent:x")).isTrue();
        assertThat(Peers.Globs.matches("agent:*", "tool:x")).isFalse();
        assertThat(Peers.Globs.matches("agent:a*c", "agent:abc")).isTrue();
        assertThat(Peers.Globs.matches("agent:ab*bc", "agent:abc")).isFalse();
        assertThat(Peers.Globs.matches("agent:x", "agent:xy")).isFalse();
    }
}

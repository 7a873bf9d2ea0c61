package dev.harmovela.proto;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Descriptors.FileDescriptor;
import com.google.protobuf.Descriptors.MethodDescriptor;
import dev.harmovela.contract.json.Json;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The published files and their messages as JSON (A2A 1.0: data model, JSON rules). */
class ProtoTest {

    private static ProtoJson a2a(String message) {
        return new ProtoJson(Protos.a2a().findMessageTypeByName(message));
    }

    private static Json.Obj json(String text) {
        return (Json.Obj) Json.parse(text);
    }

    private static Json.Obj back(ProtoJson type, String text) throws ProtoMismatch {
        return type.toJson(new ByteArrayInputStream(type.toBytes(json(text))));
    }

    @Test
    void theServiceHasElevenMethodsOfWhichTwoStream() {
        List<MethodDescriptor> methods =
                Protos.a2a().findServiceByName("A2AService").getMethods();
        assertThat(methods).hasSize(11);
        assertThat(methods)
                .filteredOn(MethodDescriptor::isServerStreaming)
                .extracting(MethodDescriptor::getName)
                .containsExactly("SendStreamingMessage", "SubscribeToTask");
        assertThat(Protos.harmovela()
                        .findServiceByName("HarmovelaTransport")
                        .findMethodByName("Stream")
                        .isClientStreaming())
                .isTrue();
        assertThat(ProtoService.a2a().name()).isEqualTo("lf.a2a.v1.A2AService");
        assertThat(ProtoService.a2a().method("NoSuchMethod")).isNull();
    }

    @Test
    void presenceIsKeptWhereTheFileAsksForIt() throws ProtoMismatch {
        assertThat(back(a2a("GetTaskRequest"), "{\"id\":\"t\",\"historyLength\":0}"))
                .isEqualTo(json("{\"id\":\"t\",\"historyLength\":0}"));
        assertThat(back(a2a("GetTaskRequest"), "{\"id\":\"t\"}")).isEqualTo(json("{\"id\":\"t\"}"));
        assertThat(back(a2a("SendMessageConfiguration"), "{\"returnImmediately\":false}"))
                .isEqualTo(Json.Obj.of());
        Descriptor capabilities = Protos.a2a().findMessageTypeByName("AgentCapabilities");
        assertThat(capabilities.getFields())
                .filteredOn(FieldDescriptor::hasPresence)
                .extracting(FieldDescriptor::getJsonName)
                .containsExactlyInAnyOrder("streaming", "pushNotifications", "extendedAgentCard");
        assertThat(capabilities.getRealOneofs()).isEmpty();
    }

    @Test
    void everyKindOfMemberComesBackAsItWas() throws ProtoMismatch {
        String task = """
                {"id":"t","contextId":"c",
                 "status":{"state":"TASK_STATE_AUTH_REQUIRED","timestamp":"2026-01-02T03:04:05.678Z"},
                 "artifacts":[{"artifactId":"a","parts":[{"text":"x","metadata":{"k":[1,2.5,null,true]}},
                   {"raw":"AAEC","filename":"f","mediaType":"b/c"},{"url":"https://x"},{"data":{"deep":{"n":12}}},
                   {"data":null},{"data":[]},{"data":"s"}]}],
                 "history":[{"messageId":"m","role":"ROLE_USER","parts":[{"text":""}],"referenceTaskIds":["r"]}]}""";
        assertThat(back(a2a("Task"), task)).isEqualTo(json(task));
        String card = """
                {"name":"n","securitySchemes":{"s":{"oauth2SecurityScheme":{"flows":{"clientCredentials":
                 {"tokenUrl":"u","scopes":{"a":"b"}}},"oauth2MetadataUrl":"m"}}},
                 "securityRequirements":[{"schemes":{"s":{"list":["a"]}}}]}""";
        assertThat(back(a2a("AgentCard"), card)).isEqualTo(json(card));
    }

    @Test
    void numbersOfTheWireAreThoseOfTheData() throws ProtoMismatch {
        byte[] bytes =
                a2a("ListTaskPushNotificationConfigsRequest").toBytes(json("{\"taskId\":\"t\",\"tenant\":\"x\"}"));
        assertThat(bytes).containsExactly(0x0a, 1, 't', 0x22, 1, 'x');
        byte[] update = a2a("StreamResponse").toBytes(json("{\"statusUpdate\":{\"taskId\":\"t\"}}"));
        assertThat(update).containsExactly(0x1a, 3, 0x0a, 1, 't');
    }

    @Test
    void whatTheTypeDoesNotKnowIsLeftOutAndSnakeCaseIsRead() throws ProtoMismatch {
        assertThat(back(a2a("GetTaskRequest"), "{\"id\":\"t\",\"history_length\":2,\"kind\":\"task\"}"))
                .isEqualTo(json("{\"id\":\"t\",\"historyLength\":2}"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"{\"id\":{}}", "{\"historyLength\":5.5}", "{\"historyLength\":\"many\"}"})
    void whatHasNotItsTypeIsAMismatch(String text) {
        assertThatThrownBy(() -> a2a("GetTaskRequest").toBytes(json(text)))
                .isInstanceOf(ProtoMismatch.class)
                .hasMessageContaining("GetTaskRequest");
    }

    @Test
    void bytesThatAreNoMessageAreAMismatch() {
        byte[] broken = {0x0a, 0x7f, 'x'};
        assertThatThrownBy(() -> a2a("Task").toJson(new ByteArrayInputStream(broken)))
                .isInstanceOf(ProtoMismatch.class);
        byte[] notUtf8 = {0x0a, 1, (byte) 0xff};
        assertThatThrownBy(() -> a2a("Task").toJson(new ByteArrayInputStream(notUtf8)))
                .isInstanceOf(ProtoMismatch.class);
    }

    @Test
    void aStatusCarriesItsDetails() throws ProtoMismatch {
        String details = "[{\"@type\":\"type.googleapis.com/google.rpc.ErrorInfo\",\"reason\":\"TASK_NOT_FOUND\","
                + "\"domain\":\"a2a-protocol.org\",\"metadata\":{\"taskId\":\"t\"}},"
                + "{\"@type\":\"type.googleapis.com/google.rpc.BadRequest\","
                + "\"fieldViolations\":[{\"field\":\"id\",\"description\":\"d\"}]}]";
        Json.Obj status = RpcStatus.toJson(RpcStatus.toBytes(5, "no", (Json.Arr) Json.parse(details)));
        assertThat(status.integer("code")).isEqualTo(5);
        assertThat(status.array("details")).isEqualTo(Json.parse(details));
        assertThatThrownBy(() -> RpcStatus.toJson("nonsense".getBytes(StandardCharsets.UTF_8)))
                .isInstanceOf(ProtoMismatch.class);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "syntax = \"proto2\";",
                "syntax = \"proto3\"; message A { string a = x; }",
                "syntax = \"proto3\"; message A { Unknown a = 1; }",
                "syntax = \"proto3\"; message A { string a = 1;",
                "syntax = \"proto3\"; import \"other.proto\";",
                "syntax = \"proto3\"; extend A { }",
                "syntax = \"proto3\"; service A { option x = 1; }"
            })
    void aFileInAnotherLanguageIsRefused(String text) {
        assertThatThrownBy(() -> ProtoFile.parse("x.proto", text))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("x.proto");
    }

    @Test
    void aServiceThatIsStreamedToIsNoneOfSingleRequests() {
        FileDescriptor file = Protos.harmovela();
        assertThatThrownBy(() -> ProtoService.of(file.findServiceByName("HarmovelaTransport")))
                .isInstanceOf(IllegalArgumentException.class);
    }
}

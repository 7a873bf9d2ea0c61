package dev.harmovela.transport.grpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.harmovela.contract.Limits;
import dev.harmovela.grpc.GrpcChannel;
import dev.harmovela.grpc.GrpcSocket;
import dev.harmovela.spi.Authenticator;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.time.Duration;
import java.util.Base64;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The port with a certificate of its own. */
class TlsTest {

    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final char[] PASSWORD = "changeit".toCharArray();

    @TempDir
    private Path folder;

    private GrpcConfig.Tls tls() throws Exception {
        Path store = folder.resolve("store.p12");
        Process keytool = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "keytool")
                                .toString(),
                        "-genkeypair",
                        "-keyalg",
                        "EC",
                        "-alias",
                        "hub",
                        "-dname",
                        "CN=localhost",
                        "-ext",
                        "san=dns:localhost,ip:127.0.0.1",
                        "-keystore",
                        store.toString(),
                        "-storetype",
                        "PKCS12",
                        "-storepass",
                        new String(PASSWORD))
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("keytool.log").toFile())
                .start();
        assertThat(keytool.waitFor()).isZero();
        KeyStore keys = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(store)) {
            keys.load(in, PASSWORD);
        }
        Path certificate = pem("CERTIFICATE", keys.getCertificate("hub").getEncoded());
        Path key = pem("PRIVATE KEY", keys.getKey("hub", PASSWORD).getEncoded());
        return new GrpcConfig.Tls(certificate, key, certificate);
    }

    private Path pem(String what, byte[] content) throws IOException {
        String text = Base64.getMimeEncoder(64, "\n".getBytes()).encodeToString(content);
        return Files.writeString(
                folder.resolve(what.replace(' ', '-') + ".pem"),
                "-----BEGIN " + what + "-----\n" + text + "\n-----END " + what + "-----\n");
    }

    @Test
    void whoTrustsTheCertificateComesInAndNobodyGetsInWithoutEncryption() throws Exception {
        GrpcConfig.Tls tls = tls();
        FakeHub hub = new FakeHub();
        GrpcConfig config = GrpcConfig.DEFAULT.at("127.0.0.1", 0).with(tls);
        GrpcServer server = GrpcServer.create(config, Limits.DEFAULT, Authenticator.open());
        try {
            int port = server.start(hub);
            try (GrpcChannel channel = GrpcChannel.trusting("127.0.0.1:" + port, tls.certificate());
                    GrpcSocket socket = GrpcSocket.connect(channel, Map.of(), PATIENCE)) {
                assertThat(socket.end()).isNull();
            }
            assertThatThrownBy(() -> GrpcSocket.connect("127.0.0.1:" + port, Map.of(), PATIENCE))
                    .isInstanceOf(IOException.class);
            try (GrpcChannel channel = GrpcChannel.to("127.0.0.1:" + port, GrpcChannel.Security.TLS)) {
                assertThatThrownBy(() -> GrpcSocket.connect(channel, Map.of(), PATIENCE))
                        .isInstanceOf(IOException.class);
            }
        } finally {
            server.stop();
            hub.close();
        }
    }

    @Test
    void aCertificateThatCannotBeUsedIsSaid() throws Exception {
        GrpcConfig.Tls right = tls();
        Path broken = Files.writeString(folder.resolve("broken.pem"), "nothing");
        for (GrpcConfig.Tls wrong : new GrpcConfig.Tls[] {
            new GrpcConfig.Tls(folder.resolve("missing.pem"), right.key(), null),
            new GrpcConfig.Tls(broken, right.key(), null),
            new GrpcConfig.Tls(right.certificate(), broken, null)
        }) {
            FakeHub hub = new FakeHub();
            GrpcServer server = GrpcServer.create(
                    GrpcConfig.DEFAULT.at("127.0.0.1", 0).with(wrong), Limits.DEFAULT, Authenticator.open());
            assertThatThrownBy(() -> server.start(hub)).isInstanceOf(IOException.class);
            server.stop();
            hub.close();
        }
    }
}

package dev.harmovela.runtime;

import dev.harmovela.client.tls.TlsFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.attribute.PosixFilePermission;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** Looks at the certificates of the port. Blocks. */
final class TlsCheck {

    private static final String NAME = "tls";
    private static final Duration SOON = Duration.ofDays(14);
    private static final Set<PosixFilePermission> OTHERS = EnumSet.of(
            PosixFilePermission.OTHERS_READ, PosixFilePermission.OTHERS_WRITE, PosixFilePermission.GROUP_WRITE);

    private TlsCheck() {}

    static Check of(DaemonConfig.Secure config, Instant now) {
        TlsFiles.Loaded loaded;
        try {
            loaded = Certificates.files(config).load();
            if (isOpen(config)) {
                return Check.bad(
                        NAME,
                        config.key() + " can be read by others on this machine",
                        "Run chmod 600 " + config.key() + "; where others may have read it, make another key.");
            }
        } catch (IOException unusable) {
            return Check.bad(
                    NAME,
                    String.valueOf(unusable.getMessage()),
                    "Mend the files of tls.certificate, tls.key and tls.client_ca.");
        }
        List<X509Certificate> all = new ArrayList<>(loaded.chain());
        all.addAll(loaded.authorities());
        Instant first = Instant.MAX;
        for (X509Certificate certificate : all) {
            String name = certificate.getSubjectX500Principal().getName();
            if (certificate.getNotBefore().toInstant().isAfter(now)) {
                return Check.bad(
                        NAME,
                        "the certificate of " + name + " holds only from "
                                + certificate.getNotBefore().toInstant(),
                        "Look at the clock of this machine, or at who issued it.");
            }
            Instant end = certificate.getNotAfter().toInstant();
            if (!end.isAfter(now)) {
                return Check.bad(
                        NAME, "the certificate of " + name + " expired at " + end, "Renew it; no restart is needed.");
            }
            first = end.isBefore(first) ? end : first;
        }
        return first.isBefore(now.plus(SOON))
                ? Check.warn(NAME, "a certificate expires at " + first, "Renew it; no restart is needed.")
                : Check.ok(NAME, config.certificate() + " holds until " + first);
    }

    private static boolean isOpen(DaemonConfig.Secure config) throws IOException {
        try {
            return Files.getPosixFilePermissions(config.key()).stream().anyMatch(OTHERS::contains);
        } catch (UnsupportedOperationException noSuchPermissions) {
            return false;
        }
    }
}

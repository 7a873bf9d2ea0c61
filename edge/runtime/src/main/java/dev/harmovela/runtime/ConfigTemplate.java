package dev.harmovela.runtime;

import dev.harmovela.runtime.security.SecurityStore;
import java.util.Locale;

/** The file that {@code harmovela init} writes: every setting with its default, commented out. */
public final class ConfigTemplate {

    private ConfigTemplate() {}

    /** YAML that changes nothing until a line loses its {@code #}. */
    public static String yaml() {
        StringBuilder out = new StringBuilder("""
            # Harmovela configuration. Every line shows a default, tls an example; take the # away to change one.
            # A variable wins over this file (HARMOVELA_PORT, HARMOVELA_TASKS_LEASE_MS), an option over both.
            # harmovela config show says what holds and why. Sizes are bytes, times milliseconds.
            """);
        String group = "";
        for (Setting setting : Settings.ALL) {
            int dot = setting.path().indexOf('.');
            String itsGroup = dot < 0 ? "" : setting.path().substring(0, dot);
            if (!itsGroup.equals(group)) {
                group = itsGroup;
                out.append(group.isEmpty() ? "" : "\n#" + group + ":\n");
            }
            if (dot < 0) {
                out.append('\n');
            }
            String indent = dot < 0 ? "" : "  ";
            String name = setting.path().substring(dot + 1);
            String value = switch (setting.path()) {
                case "data" -> ConfigBuilder.DATA;
                case "security_file" -> ConfigBuilder.DATA + "/" + SecurityStore.NAME;
                case "grpc.tls_certificate", "grpc.tls_client_ca" -> "certificate.pem";
                case "grpc.tls_key" -> "key.pem";
                case "links_file" -> ConfigBuilder.DATA + "/" + LinkStore.NAME;
                case "tls.certificate" -> "hub.pem";
                case "tls.key" -> "hub.key";
                case "tls.client_ca" -> "clients.pem";
                default -> shown(setting);
            };
            out.append('#').append(indent).append(name).append(": ").append(value);
            out.append("  # ").append(setting.help());
            if (setting.kind() == Setting.Kind.WORD) {
                out.append(" (")
                        .append(String.join(", ", setting.range().words()))
                        .append(')');
            }
            out.append('\n');
        }
        return out.toString();
    }

    private static String shown(Setting setting) {
        return switch (setting.kind()) {
            case TEXT, WORD -> setting.fallback().toString().replace("\"", "").toLowerCase(Locale.ROOT);
            case SWITCH, INTEGER, DECIMAL, TEXTS, FAMILIES -> setting.fallback().toString();
        };
    }
}

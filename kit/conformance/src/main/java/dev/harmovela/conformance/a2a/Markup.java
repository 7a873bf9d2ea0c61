package dev.harmovela.conformance.a2a;

/** Text inside XML and HTML. */
final class Markup {

    private Markup() {}

    /** The text as it stands in content and in quoted attributes; what XML does not take becomes a space. */
    static String escape(String text) {
        StringBuilder out = new StringBuilder();
        text.codePoints().forEach(c -> {
            switch (c) {
                case '<' -> out.append("&lt;");
                case '>' -> out.append("&gt;");
                case '&' -> out.append("&amp;");
                case '"' -> out.append("&quot;");
                case '\'' -> out.append("&#39;");
                default -> {
                    boolean forbidden = c < ' ' || (c >= 0xD800 && c <= 0xDFFF) || c == 0xFFFE || c == 0xFFFF;
                    out.appendCodePoint(forbidden ? ' ' : c);
                }
            }
        });
        return out.toString();
    }
}

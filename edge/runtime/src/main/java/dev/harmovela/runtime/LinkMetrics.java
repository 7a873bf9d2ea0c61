package dev.harmovela.runtime;

import dev.harmovela.transport.link.LinkFigures;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/** Figures of links in the text form of Prometheus; names of links hold nothing that would have to be escaped. */
final class LinkMetrics {

    private LinkMetrics() {}

    static String text(Map<String, LinkFigures> links) {
        if (links.isEmpty()) {
            return "";
        }
        StringBuilder out = new StringBuilder();
        add(
                out,
                links,
                "harmovela_link_up",
                "gauge",
                "Whether a link is connected.",
                one -> one.state() == LinkFigures.State.UP ? 1 : 0);
        add(
                out,
                links,
                "harmovela_link_lag",
                "gauge",
                "Messages on the broker not read yet, -1 unknown.",
                one -> one.lag());
        add(out, links, "harmovela_link_waiting", "gauge", "Messages that wait to be written.", one -> one.waiting());
        add(out, links, "harmovela_link_read_total", "counter", "Messages read.", one -> one.readTotal());
        add(
                out,
                links,
                "harmovela_link_written_total",
                "counter",
                "Messages the broker confirmed.",
                one -> one.writtenTotal());
        add(
                out,
                links,
                "harmovela_link_dead_lettered_total",
                "counter",
                "Messages kept as dead letters.",
                one -> one.letteredTotal());
        add(
                out,
                links,
                "harmovela_link_lost_total",
                "counter",
                "Entries whose bytes the broker lost.",
                one -> one.lostTotal());
        add(
                out,
                links,
                "harmovela_link_rebuilt_total",
                "counter",
                "How often a link was built again.",
                one -> one.rebuiltTotal());
        return out.toString();
    }

    private static void add(
            StringBuilder out,
            Map<String, LinkFigures> links,
            String name,
            String type,
            String help,
            ToDoubleFunction<LinkFigures> figure) {
        out.append("# HELP ").append(name).append(' ').append(help).append('\n');
        out.append("# TYPE ").append(name).append(' ').append(type).append('\n');
        links.forEach((link, figures) -> out.append(name)
                .append("{link=\"")
                .append(link)
                .append("\"} ")
                .append(figure.applyAsDouble(figures))
                .append('\n'));
    }
}

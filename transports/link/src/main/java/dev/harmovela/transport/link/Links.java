package dev.harmovela.transport.link;

import dev.harmovela.contract.json.Json;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/** The links of a running hub. Thread-safe. */
public final class Links implements AutoCloseable {

    private final Function<LinkKind, Driver> drivers;
    private final LinkHost host;
    private final Map<String, LinkRunner> running = new LinkedHashMap<>();
    private volatile List<LinkRunner> shown = List.of();

    /**
     * @param drivers the driver of a kind, made when it is needed for the first time
     * @param host where they live
     */
    public Links(Function<LinkKind, Driver> drivers, LinkHost host) {
        this.drivers = drivers;
        this.host = host;
    }

    /**
     * Makes the links that run the ones that are configured: new ones start, missing ones stop, changed ones do
     * both. Blocks.
     */
    public synchronized void use(List<LinkSettings> settings) {
        Map<String, LinkSettings> wanted = new LinkedHashMap<>();
        settings.forEach(link -> wanted.put(link.name(), link));
        for (LinkRunner runner : List.copyOf(running.values())) {
            if (!runner.settings().equals(wanted.get(runner.settings().name()))) {
                running.remove(runner.settings().name());
                runner.close();
            }
        }
        for (LinkSettings link : settings) {
            if (!running.containsKey(link.name())) {
                LinkRunner runner = new LinkRunner(link, drivers.apply(link.kind()), host);
                running.put(link.name(), runner);
                runner.start();
            }
        }
        shown = List.copyOf(running.values());
    }

    /** Short names of the transports that agents can use now. */
    public Set<String> transports() {
        Set<String> on = new LinkedHashSet<>();
        for (LinkRunner runner : shown) {
            if (runner.settings().mode() == LinkMode.TRANSPORT) {
                on.add(runner.settings().kind().wire());
            }
        }
        return on;
    }

    /** Every link with its settings and figures, for the HTTP interface. */
    public List<Json.Obj> show() {
        List<Json.Obj> all = new ArrayList<>();
        for (LinkRunner runner : shown) {
            Json.Builder one = runner.figures().show();
            runner.settings().toJson().forEach(one::put);
            all.add(one.build());
        }
        return all;
    }

    /** Figures by the name of their link. */
    public Map<String, LinkFigures> figures() {
        Map<String, LinkFigures> all = new LinkedHashMap<>();
        shown.forEach(runner -> all.put(runner.settings().name(), runner.figures()));
        return all;
    }

    /** Stops them all. Blocks for seconds at the most. */
    @Override
    public synchronized void close() {
        use(List.of());
    }
}

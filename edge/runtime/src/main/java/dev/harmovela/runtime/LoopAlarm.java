package dev.harmovela.runtime;

import dev.harmovela.harness.HarmovelaHub;
import dev.harmovela.transport.http.EventLoopExecutor;
import org.jspecify.annotations.Nullable;

/** Wakes the hub on the event loop. Used on the loop only, once the hub runs. */
final class LoopAlarm implements HarmovelaHub.Alarm {

    private final EventLoopExecutor loop;
    private @Nullable HarmovelaHub hub;
    private EventLoopExecutor.@Nullable Scheduled scheduled;

    LoopAlarm(EventLoopExecutor loop) {
        this.loop = loop;
    }

    @Override
    public void at(long epochMillis) {
        if (scheduled != null) {
            scheduled.cancel();
            scheduled = null;
        }
        if (epochMillis != Long.MAX_VALUE) {
            long wait = Math.max(0, epochMillis - SteadyClock.SYSTEM.getAsLong());
            scheduled = loop.schedule(wait, this::ring);
        }
    }

    void wakes(HarmovelaHub target) {
        hub = target;
    }

    private void ring() {
        if (hub != null) {
            hub.tick();
        }
    }
}

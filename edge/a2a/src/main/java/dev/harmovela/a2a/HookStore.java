package dev.harmovela.a2a;

import dev.harmovela.contract.json.Json;
import java.util.List;

/** Keeps push configurations over restarts. They hold secrets, so what is kept is for the hub's owner only. */
public interface HookStore {

    /** What was kept last; empty when nothing was or it cannot be read. */
    List<Json.Obj> load();

    /** Keeps all of them. Called on any thread, one call at a time. */
    void save(List<Json.Obj> all);

    /** Keeps nothing. */
    HookStore NONE = new HookStore() {
        @Override
        public List<Json.Obj> load() {
            return List.of();
        }

        @Override
        public void save(List<Json.Obj> all) {
            // gone with the process
        }
    };
}

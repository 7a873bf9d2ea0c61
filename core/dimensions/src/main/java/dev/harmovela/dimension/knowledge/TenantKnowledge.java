package dev.harmovela.dimension.knowledge;

import dev.harmovela.contract.In;
import dev.harmovela.contract.Out;

/** What one tenant knows. */
record TenantKnowledge(StateRegister state, Beliefs beliefs, Attestations attestations) {

    static TenantKnowledge empty() {
        return new TenantKnowledge(new StateRegister(), new Beliefs(), new Attestations());
    }

    boolean isEmpty() {
        return state.isEmpty() && beliefs.isEmpty() && attestations.isEmpty();
    }

    void snapshot(Out out) {
        state.snapshot(out);
        beliefs.snapshot(out);
        attestations.snapshot(out);
    }

    static TenantKnowledge restore(In in) {
        return new TenantKnowledge(StateRegister.restore(in), Beliefs.restore(in), Attestations.restore(in));
    }
}

package dev.harmovela.harness;

/** Numbers that nobody can guess; the core draws none by itself. Called on the owner. */
@FunctionalInterface
public interface Chance {

    /** The next number; every one is as likely as any other. */
    long number();

    /** Text that nobody can guess, of 256 bits. */
    default String secret() {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < 4; i++) {
            text.append(String.format("%016x", number()));
        }
        return text.toString();
    }
}

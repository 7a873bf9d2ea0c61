package dev.harmovela.dimension.task;

/** Reads the numbers that stand for constants in facts and snapshots. */
final class Stored {

    private Stored() {}

    /** The constant with that number; {@link IllegalArgumentException} when this release knows no such one. */
    static <E extends Enum<E>> E constant(Class<E> type, int ordinal) {
        E[] constants = type.getEnumConstants();
        if (ordinal >= constants.length) {
            throw new IllegalArgumentException(type.getSimpleName() + " has no number " + ordinal);
        }
        return constants[ordinal];
    }
}

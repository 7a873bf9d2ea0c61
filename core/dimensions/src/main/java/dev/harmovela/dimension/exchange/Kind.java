package dev.harmovela.dimension.exchange;

import dev.harmovela.contract.ErrorCode;
import org.jspecify.annotations.Nullable;

/** What is asked for. The order is part of the stored form. */
enum Kind {
    COMMAND("command", ErrorCode.INVALID_COMMAND, "command.failed"),
    QUERY("query", ErrorCode.INVALID_QUERY, "query.error");

    private final String family;
    private final ErrorCode invalid;
    private final String failure;

    Kind(String family, ErrorCode invalid, String failure) {
        this.family = family;
        this.invalid = invalid;
        this.failure = failure;
    }

    static @Nullable Kind of(String family) {
        for (Kind kind : values()) {
            if (kind.family.equals(family)) {
                return kind;
            }
        }
        return null;
    }

    String family() {
        return family;
    }

    /** The code of a request or answer that makes no sense. */
    ErrorCode invalid() {
        return invalid;
    }

    /** What the requester hears when nobody answers. */
    String failure() {
        return failure;
    }
}

package dev.harmovela.conformance.a2a.wire;

import org.jspecify.annotations.Nullable;

/**
 * What came of asking for a stream.
 *
 * @param head status and headers; the body too when no stream was opened
 * @param events the stream, to be closed by the caller; null when the answer is a plain one
 */
public record Opened(Answer head, @Nullable EventStream events) {}

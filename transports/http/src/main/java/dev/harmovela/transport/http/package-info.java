/** Carries frames over WebSocket, server-sent events and plain HTTP. */
@NullMarked
package dev.harmovela.transport.http;

import org.jspecify.annotations.NullMarked;

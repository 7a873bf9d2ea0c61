/** The client side of gRPC: a stream of events, and single calls whose messages are JSON. */
@NullMarked
package dev.harmovela.grpc;

import org.jspecify.annotations.NullMarked;

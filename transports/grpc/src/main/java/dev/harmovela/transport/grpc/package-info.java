/** Events over one gRPC stream, and services whose messages are JSON inside, on a port of their own. */
@NullMarked
package dev.harmovela.transport.grpc;

import org.jspecify.annotations.NullMarked;

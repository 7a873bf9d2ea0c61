/** The wire as the kit sees it: requests and answers over HTTP, event streams, credentials, a webhook receiver. */
@NullMarked
package dev.harmovela.conformance.a2a.wire;

import org.jspecify.annotations.NullMarked;

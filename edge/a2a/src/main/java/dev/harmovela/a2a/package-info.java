/** Agents of the hub as A2A agents: the endpoint and the bridge behind it. */
@NullMarked
package dev.harmovela.a2a;

import org.jspecify.annotations.NullMarked;

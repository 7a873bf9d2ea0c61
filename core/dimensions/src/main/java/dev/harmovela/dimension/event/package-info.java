/** Publishing, subscribing and delivering events. */
@NullMarked
package dev.harmovela.dimension.event;

import org.jspecify.annotations.NullMarked;

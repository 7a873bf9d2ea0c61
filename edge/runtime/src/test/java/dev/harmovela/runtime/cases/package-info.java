/** Reported failures held against a running hub and its real transports. */
@org.jspecify.annotations.NullMarked
package dev.harmovela.runtime.cases;

/** Who may do what: roles, the actions they stand for, and the claims an event makes about its sender. */
@NullMarked
package dev.harmovela.dimension.governance;

import org.jspecify.annotations.NullMarked;

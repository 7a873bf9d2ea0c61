/** Rules on the shape of the whole code base, checked on the compiled classes of every module. */
@NullMarked
package dev.harmovela.architecture;

import org.jspecify.annotations.NullMarked;

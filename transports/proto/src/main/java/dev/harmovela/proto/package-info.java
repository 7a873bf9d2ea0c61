/** The published .proto files, read at run time, and their messages as JSON. */
@NullMarked
package dev.harmovela.proto;

import org.jspecify.annotations.NullMarked;

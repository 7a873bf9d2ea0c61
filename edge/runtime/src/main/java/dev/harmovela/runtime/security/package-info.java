/** Who may use a hub: tenants, roles and tokens in one file that the running hub follows. */
@NullMarked
package dev.harmovela.runtime.security;

import org.jspecify.annotations.NullMarked;

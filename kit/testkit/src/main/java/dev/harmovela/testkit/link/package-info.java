/**
 * What every link to a broker has to prove against the real server; a module adds a {@link
 * dev.harmovela.testkit.link.BrokerFixture}.
 */
@NullMarked
package dev.harmovela.testkit.link;

import org.jspecify.annotations.NullMarked;

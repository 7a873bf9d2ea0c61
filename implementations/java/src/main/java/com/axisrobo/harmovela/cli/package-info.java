/** The entry by which the published profile commands call this implementation. */
package com.axisrobo.harmovela.cli;

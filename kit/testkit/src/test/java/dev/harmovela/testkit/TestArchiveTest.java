package dev.harmovela.testkit;

import dev.harmovela.spi.TaskArchive;
import dev.harmovela.testkit.hub.TestArchive;

/** The search that tests use keeps the contract too. */
class TestArchiveTest extends TaskArchiveContract {

    private final TestArchive archive = new TestArchive();

    @Override
    protected TaskArchive archive() {
        return archive;
    }
}

package dev.harmovela.cli;

import java.util.LinkedHashMap;
import java.util.Map;

/** What the process says when it ends. */
final class ExitCodes {

    static final int OK = 0;
    static final int FAILED = 1;
    static final int USAGE = 2;
    static final int NOT_REACHABLE = 3;
    static final int STORAGE_FAILED = 74;

    /** For help pages. */
    static Map<String, String> explained() {
        Map<String, String> codes = new LinkedHashMap<>();
        codes.put(" 0", "done");
        codes.put(" 1", "refused or failed; the message says why");
        codes.put(" 2", "the command line is wrong");
        codes.put(" 3", "no hub answers at the address");
        codes.put("74", "the hub's disk failed, so it stopped");
        return codes;
    }

    private ExitCodes() {}
}

package dev.harmovela.transport.link;

/** A configuration of links that cannot hold; the message is half a sentence that names the member. */
public final class LinkProblem extends Exception {

    private static final long serialVersionUID = 1L;

    public LinkProblem(String message) {
        super(message);
    }
}

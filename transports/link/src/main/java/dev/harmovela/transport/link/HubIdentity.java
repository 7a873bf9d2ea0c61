package dev.harmovela.transport.link;

/**
 * What brokers are told of the hub.
 *
 * @param id persistent id of the hub
 * @param mayCreate whether missing streams and topics are made for every link (development)
 */
public record HubIdentity(String id, boolean mayCreate) {

    /** Name of the reader group or durable of a link (D36). */
    public String group(LinkSettings link) {
        return "aep-hub-" + Names.escaped(id) + "-" + Names.escaped(link.name());
    }
}

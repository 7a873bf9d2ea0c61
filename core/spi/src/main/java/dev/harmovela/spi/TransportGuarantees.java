package dev.harmovela.spi;

/**
 * What a transport promises, as the reference shows it; one sentence each.
 *
 * @param profile identifier of the transport profile
 * @param modes delivery modes and how each is carried
 * @param ordering what stays in order
 * @param replay where history comes from
 * @param limits sizes
 * @param settlement when which side has an event
 */
public record TransportGuarantees(
        String profile, String modes, String ordering, String replay, String limits, String settlement) {}

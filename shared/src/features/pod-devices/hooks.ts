/** What is read of each node besides its devices, by the names that hook readings have. */

/** The BPF programs at the pod's device and at the wire. */
export const PROGRAMS = 'bpf'
/** The node's IP layer, which forwards. */
export const FORWARDING = 'ip-forward'
/** The rule in the forward hook that looks up connections. */
export const TRACKER = 'conntrack'
/** Pings from the client to the server; it counts the families that answer. */
export const PINGS = 'ping'

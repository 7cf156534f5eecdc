/** What is read of the gateway besides its devices, by the names that hook readings have. */

/** The BPF program at the translator's device. */
export const PROGRAM = 'translator-bpf'
/** tayga's device. */
export const TAYGA = 'translator-tayga'
/** The gateway's IP layer, which routes. */
export const ROUTING = 'gateway-routing'
/** Connections from client to server; it counts the families that are answered. */
export const CALLS = 'handshake'

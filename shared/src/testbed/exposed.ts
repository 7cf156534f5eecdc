/** The places of a workload that a cluster exposes on a port of its nodes: a client outside, the node that is called, and the pod. */
import type { Role } from './placement.ts'

/** A machine that is no part of the cluster, where the client runs. */
export const OUTSIDE = 'outside'
/** The node whose address the client calls. The backend's pod is on another node. */
export const ENTRY = 'entry'
/** The pod behind the NodePort. */
export const BACKEND_POD = 'backend'

/** In the order of the path. */
export const exposedRoles: readonly Role[] = [OUTSIDE, ENTRY, BACKEND_POD]

/** The NodePort of netserver's control connection, over TCP. */
export const CONTROL_NODE_PORT = 31_865
/** The NodePort of its data, over TCP and UDP. netserver has the same number, because it names it to the client. */
export const DATA_NODE_PORT = 31_866

/** Both ports, as netperf is given them. */
export const nodePorts = { controlPort: CONTROL_NODE_PORT, dataPort: DATA_NODE_PORT } as const

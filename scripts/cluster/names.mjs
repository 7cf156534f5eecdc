/** The names of the cluster's parts, as in manifests/. */

/** kind's name for it, as manifests/kind.yaml has it. */
export const clusterName = 'expresslane'
/** kubectl's. */
export const context = `kind-${clusterName}`
/** The nodes' containers, the control plane first. */
export const nodes = /** @type {const} */ ([
  `${clusterName}-control-plane`,
  `${clusterName}-worker`,
  `${clusterName}-worker2`,
])
/** The workload's, as manifests/netperf.yaml has it. */
export const image = 'expresslane/netperf'
/** manifests/cilium-values.yaml is written for it. */
export const cilium = { repository: 'https://helm.cilium.io', version: '1.18.8' }

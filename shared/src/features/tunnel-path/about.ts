import type { FeatureAbout } from '../feature.ts'

/** The nodes, which are the ends of the tunnel. */
export const CLIENT_END = 'client-tunnel-end'
export const SERVER_END = 'server-tunnel-end'

export const about = {
  id: 'tunnel-path',
  name: /*i18n*/ 'Tunnel paths',
  capabilities: [
    { id: 'node-tunnel', name: /*i18n*/ 'a VXLAN tunnel between the nodes', needs: ['pod-network', 'vxlan'] },
    { id: 'node-tunnel-geneve', name: /*i18n*/ 'a Geneve tunnel between the nodes', needs: ['pod-network', 'geneve'] },
    { id: 'node-tunnel-wireguard', name: /*i18n*/ 'WireGuard between the nodes', needs: ['pod-network', 'wireguard'] },
    { id: 'node-tunnel-esp', name: /*i18n*/ 'ESP between the nodes', needs: ['pod-network', 'esp'] },
  ],
  onCluster: {
    'pod-network':
      /*i18n*/ 'On a cluster Cilium makes the tunnel, encrypted or not, when its agents are installed. The preflight of the BIG TCP labs says how large its packets can be.',
  },
  roleNames: { [CLIENT_END]: /*i18n*/ 'the client’s node', [SERVER_END]: /*i18n*/ 'the server’s node' },
  topology: 'tunnel-path',
} as const satisfies FeatureAbout

import type { FeatureAbout } from '../feature.ts'
import { CLIENT_END, SERVER_END } from './places.ts'

export const about = {
  id: 'tunnel-path',
  name: 'Tunnel paths',
  capabilities: [
    { id: 'node-tunnel', name: 'a VXLAN tunnel between the nodes', needs: ['pod-network', 'vxlan'] },
    { id: 'node-tunnel-geneve', name: 'a Geneve tunnel between the nodes', needs: ['pod-network', 'geneve'] },
  ],
  without: {
    'pod-network':
      'On a cluster Cilium makes the tunnel when its agents are installed. The preflight of the BIG TCP labs says how large its packets can be.',
  },
  roleNames: { [CLIENT_END]: 'the client’s node', [SERVER_END]: 'the server’s node' },
  topology: 'tunnel-path',
} as const satisfies FeatureAbout

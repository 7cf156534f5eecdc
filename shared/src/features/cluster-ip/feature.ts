/** A cluster IP: whether its translation to a backend is at the client's socket, or in each packet on the node. */
import type { Design } from '../../measure/experiment.ts'
import type { Feature, Preset } from '../feature.ts'
import { about } from './about.ts'
import { serviceConnections, serviceRequests } from './benchmarks.ts'
import { roles, SERVICE } from './places.ts'
import { metrics, proof } from './proof.ts'
import { extraSeconds, nameArm, phrase, SERVICES, settings, TRANSLATION, translation } from './settings.ts'

const design: Design = { order: 'auto', repeats: 6, seconds: 0.5, warmups: 0, budget: null }
const presets: readonly Preset[] = [
  {
    name: /*i18n*/ 'Socket or packet, 1,000 services?',
    tool: serviceConnections.tool,
    families: ['ipv4'],
    sizes: '',
    arms: translation.options.map((one) => ({ [TRANSLATION]: one, [SERVICES]: 1_000 })),
    design,
  },
]

export const clusterIp = {
  ...about,
  settings,
  roles,
  calledAs: (_address, of) => SERVICE[of],
  metrics,
  benchmarks: [serviceRequests, serviceConnections],
  proof,
  probes: [
    /** Captures a call where it leaves the client, and where it arrives. */
    { id: 'call', needs: ['cluster-ip-capture'] },
  ],
  extraSeconds,
  nameArm,
  phrase,
  presets,
  onYourCluster:
    /*i18n*/ 'Cilium translates cluster IPs at the socket of every pod by default once it replaces kube-proxy; `socketLB.hostNamespaceOnly: true` limits that to the nodes’ own processes, as service meshes with sidecars need it. `kubectl -n kube-system exec ds/cilium -- cilium-dbg status --verbose` says what is on.',
} as const satisfies Feature

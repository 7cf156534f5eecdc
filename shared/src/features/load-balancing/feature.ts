/** Load balancing: which backend a connection gets, which connections go on after a change, and the way of replies. */
import { i18n } from '../../base/language.ts'
import { tcpCrr } from '../../tools/netperf/tcp-crr.ts'
import { tcpRr } from '../../tools/netperf/tcp-rr.ts'
import type { Feature } from '../feature.ts'
import type { Published } from '../published.ts'
import { about } from './about.ts'
import { heldConnections } from './held-connections.ts'
import { metrics } from './metrics.ts'
import { roles } from './places.ts'
import { presets } from './presets.ts'
import { proof } from './proof.ts'
import { extraSeconds, nameArm, phrase, settings } from './settings.ts'

/** What is published about Maglev's tables. */
const published: Published = {
  notes: (tool) =>
    tool === heldConnections.tool
      ? [
          i18n.t(
            'Cilium’s documentation asks for a table with at least 100 buckets for each backend: a change then moves at most 1 % of the buckets without need. Its own size is 16,381 (docs.cilium.io, Maglev Consistent Hashing).',
          ),
          i18n.t(
            'Google’s paper measured the same: the larger the table, the fewer connections move (Eisenbud et al., Maglev, NSDI 2016).',
          ),
        ]
      : [],
  figures: () => [],
}

export const loadBalancing = {
  ...about,
  settings,
  roles,
  metrics,
  benchmarks: [heldConnections, tcpRr, tcpCrr],
  proof,
  probes: [
    /** Follows a reply from the backend to the client. */
    { id: 'reply', needs: ['load-balancing-replies'] },
    /** Loads tables of several sizes, and compares them. */
    { id: 'table-sizes', needs: [] },
  ],
  extraSeconds,
  nameArm,
  phrase,
  presets,
  published,
  onYourCluster:
    /*i18n*/ 'Cilium with kube-proxy replacement chooses random backends and remembers them on each node; `loadBalancer.algorithm: maglev` gives all nodes the same table, so that another node can take over. `loadBalancer.mode: dsr` lets a backend’s node reply past the first node.',
} as const satisfies Feature

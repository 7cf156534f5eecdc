/** What is published about Maglev's tables. */
import type { Published } from '../published.ts'
import { heldConnections } from './held-connections.ts'

export const published: Published = {
  notes: (tool) =>
    tool === heldConnections.tool
      ? [
          'Cilium’s documentation asks for a table with at least 100 buckets for each backend: a change then moves at most 1 % of the buckets without need. Its own size is 16,381 (docs.cilium.io, Maglev Consistent Hashing).',
          'Google’s paper measured the same: the larger the table, the fewer connections move (Eisenbud et al., Maglev, NSDI 2016).',
        ]
      : [],
  figures: () => [],
}

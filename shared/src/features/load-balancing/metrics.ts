/** What became of the connections, and the packets that the balancer saw. */
import { defineMetric } from '../../measure/define-metric.ts'
import type { Metric } from '../../measure/metrics.ts'
import { countedOnPath } from '../counted-packets.ts'

const unit = 'connections'
const ASKED = 'an echo on each connection before the event and after it'

export const metrics: readonly Metric[] = [
  defineMetric({
    id: 'keptConnections',
    name: 'Connections that go on',
    short: 'Kept',
    noun: 'connections that go on',
    type: 'count',
    unit,
    better: 'more',
    words: { more: 'more connections kept', less: 'fewer connections kept' },
    column: 'connections_kept',
    source: ASKED,
  }),
  defineMetric({
    id: 'brokenNeedlessly',
    name: 'Broken, though the backend is there',
    short: 'Broken needlessly',
    noun: 'connections that need not have broken',
    type: 'count',
    unit,
    column: 'connections_broken_needlessly',
    source: `${ASKED}, without those whose own backend has ended`,
  }),
  defineMetric({
    id: 'brokenWithBackend',
    name: 'Broken with their backend',
    short: 'Had to break',
    noun: 'connections whose own backend has ended',
    type: 'count',
    unit,
    column: 'connections_broken_with_backend',
    source: `${ASKED}; the backends’ own lists of connections (/proc/net/tcp, /proc/net/tcp6) say which are whose`,
  }),
  defineMetric({
    id: 'openedConnections',
    name: 'Open before the event',
    short: 'Opened',
    noun: 'connections that were open before the event',
    type: 'count',
    unit,
    column: 'connections_opened',
    source: 'the backends’ own lists of connections (/proc/net/tcp, /proc/net/tcp6), after an echo on each',
  }),
  defineMetric({
    id: 'largestShare',
    name: 'Largest share of a backend',
    short: 'Largest share',
    noun: 'the largest share of a backend',
    type: 'share',
    unit: '%',
    say: (value) => `${value.toFixed(1)} % of the connections at one backend`,
    column: 'largest_share_percent',
    source: 'the backends’ own lists of connections before the event',
  }),
  defineMetric({
    id: 'wrongBuckets',
    name: 'Buckets that differ from the arm’s table',
    short: 'Wrong buckets',
    noun: 'buckets that differ from the arm’s table',
    type: 'count',
    unit: 'buckets',
    column: 'wrong_buckets',
    source: 'the table as nft lists it, before the event and after it',
  }),
  countedOnPath({
    id: 'balancerPackets',
    what: 'packets that arrived at the balancer',
    short: 'At the balancer',
    column: 'packets_at_balancer',
    source: 'the packet counter of the balancer’s device, before and after',
  }),
]

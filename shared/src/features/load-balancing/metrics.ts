/** What became of the connections, and the packets that the balancer saw. */
import { formatFixed } from '../../base/units.ts'
import { i18n } from '../../base/language.ts'
import { defineMetric } from '../../measure/define-metric.ts'
import type { Metric } from '../../measure/metrics.ts'
import { countedOnPath } from '../counted-packets.ts'

const unit = /*i18n*/ 'connections'

export const metrics: readonly Metric[] = [
  defineMetric({
    id: 'keptConnections',
    name: /*i18n*/ 'Connections that go on',
    short: /*i18n*/ 'Kept',
    noun: /*i18n*/ 'connections that go on',
    type: 'count',
    unit,
    better: 'more',
    words: { more: /*i18n*/ 'more connections kept', less: /*i18n*/ 'fewer connections kept' },
    column: 'connections_kept',
    source: /*i18n*/ 'an echo on each connection before the event and after it',
  }),
  defineMetric({
    id: 'brokenNeedlessly',
    name: /*i18n*/ 'Broken, though the backend is there',
    short: /*i18n*/ 'Broken needlessly',
    noun: /*i18n*/ 'connections that need not have broken',
    type: 'count',
    unit,
    column: 'connections_broken_needlessly',
    source:
      /*i18n*/ 'an echo on each connection before the event and after it, without those whose own backend has ended',
  }),
  defineMetric({
    id: 'brokenWithBackend',
    name: /*i18n*/ 'Broken with their backend',
    short: /*i18n*/ 'Had to break',
    noun: /*i18n*/ 'connections whose own backend has ended',
    type: 'count',
    unit,
    column: 'connections_broken_with_backend',
    source:
      /*i18n*/ 'an echo on each connection before the event and after it; the backends’ own lists of connections (/proc/net/tcp, /proc/net/tcp6) say which are whose',
  }),
  defineMetric({
    id: 'openedConnections',
    name: /*i18n*/ 'Open before the event',
    short: /*i18n*/ 'Opened',
    noun: /*i18n*/ 'connections that were open before the event',
    type: 'count',
    unit,
    column: 'connections_opened',
    source: /*i18n*/ 'the backends’ own lists of connections (/proc/net/tcp, /proc/net/tcp6), after an echo on each',
  }),
  defineMetric({
    id: 'largestShare',
    name: /*i18n*/ 'Largest share of a backend',
    short: /*i18n*/ 'Largest share',
    noun: /*i18n*/ 'the largest share of a backend',
    type: 'share',
    unit: '%',
    say: (value) => i18n.t('{percent} % of the connections at one backend', { percent: formatFixed(value, 1) }),
    column: 'largest_share_percent',
    source: /*i18n*/ 'the backends’ own lists of connections before the event',
  }),
  defineMetric({
    id: 'wrongBuckets',
    name: /*i18n*/ 'Buckets that differ from the arm’s table',
    short: /*i18n*/ 'Wrong buckets',
    noun: /*i18n*/ 'buckets that differ from the arm’s table',
    type: 'count',
    unit: /*i18n*/ 'buckets',
    column: 'wrong_buckets',
    source: /*i18n*/ 'the table as nft lists it, before the event and after it',
  }),
  countedOnPath({
    id: 'balancerPackets',
    what: /*i18n*/ 'packets that arrived at the balancer',
    short: /*i18n*/ 'At the balancer',
    column: 'packets_at_balancer',
    source: /*i18n*/ 'the packet counter of the balancer’s device, before and after',
  }),
]

/** The tool that holds connections while something happens to the backends or the balancer. */
import { i18n } from '../../base/language.ts'
import { z } from 'zod'
import { defineTool, type Benchmark } from '../../measure/benchmark.ts'
import { familyName, formatCount, type Family } from '../../base/units.ts'

/**
 * - `leaves`: the last backend ends, and the table goes on without it
 * - `drains`: the table goes on without the last backend, which still serves its connections
 * - `joins`: the table gets one more backend
 * - `takeover`: a balancer with the same rules takes over, and knows none of the connections
 */
export const balancingEvent = z.enum(['leaves', 'drains', 'joins', 'takeover'])
export type BalancingEvent = z.infer<typeof balancingEvent>

export const eventPhrase: Readonly<Record<BalancingEvent, string>> = {
  leaves: /*i18n*/ 'a backend leaves',
  drains: /*i18n*/ 'a backend drains',
  joins: /*i18n*/ 'a backend joins',
  takeover: /*i18n*/ 'another balancer takes over',
}

export const heldConnectionsBenchmark = z.strictObject({
  tool: z.literal('held-connections'),
  event: balancingEvent.default('leaves'),
  /** A backend's echo server holds 256: with 5 backends a fair share of the most is 200. */
  connections: z.number().int().min(10).max(1_000).default(1_000),
})

export const heldConnections = defineTool({
  tool: 'held-connections',
  name: /*i18n*/ 'Held connections',
  does: /*i18n*/ 'connections that are open while a backend or the balancer changes',
  schema: heldConnectionsBenchmark,
  parameters: [
    { key: 'event', column: 'event' },
    { key: 'connections', column: 'connections', axis: { name: /*i18n*/ 'Connections', format: formatCount } },
  ],
  compared: ['keptConnections', 'brokenNeedlessly', 'brokenWithBackend'],
  charts: [['keptConnections'], ['brokenNeedlessly', 'brokenWithBackend']],
  beside: ['keptConnections', 'brokenNeedlessly', 'brokenWithBackend'],
  columns: [
    'keptConnections',
    'brokenNeedlessly',
    'brokenWithBackend',
    'openedConnections',
    'largestShare',
    'wrongBuckets',
  ],
  brief: ['keptConnections', 'brokenNeedlessly'],
  caption: /*i18n*/ 'connections that go on',
  note: /*i18n*/ 'Each connection is asked for an echo before the event and after it, so a run’s count is exact. Each run opens other connections, so the counts of runs differ by chance.',
  describe: (of) => {
    const { data } = heldConnectionsBenchmark.safeParse(of)
    return data === undefined
      ? null
      : {
          label: i18n.t('Event'),
          value: i18n.t('{event}, {connections} connections', {
            event: i18n.t(eventPhrase[data.event]),
            connections: formatCount(data.connections),
          }),
        }
  },
  usual: { tool: 'held-connections', event: 'leaves', connections: 1_000 },
  subject: (of: Benchmark, family: Family) => {
    const { data } = heldConnectionsBenchmark.safeParse(of)
    const event = data === undefined ? i18n.t('an event') : i18n.t(eventPhrase[data.event])
    return i18n.t('{event}, over {family}', { event, family: familyName[family] })
  },
  // The event changes the balancer for good.
  freshPods: true,
  capability: 'load-balancing',
})

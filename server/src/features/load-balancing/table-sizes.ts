/** Loads tables of several sizes into the standby, with and without a backend, and compares what the kernel lists. */
import { movesBetween } from '@expresslane/shared/features/load-balancing/balancers'
import { STANDBY, USUAL_BACKENDS } from '@expresslane/shared/features/load-balancing/roles'
import { balancingIn, bucketCounts, type Balancing } from '@expresslane/shared/features/load-balancing/settings'
import { formatCount } from '@expresslane/shared/base/units'
import type { Observation } from '@expresslane/shared/base/observation'
import type { Pods, ProbeRun, RunProbe } from '../feature.ts'
import { bucketsOf } from './commands.ts'
import { loadRules } from './pod-settings.ts'
import { readTable, wrongBuckets, type TableRead } from './reading.ts'

async function loaded(of: Balancing, pods: Pods): Promise<TableRead> {
  await loadRules(of, STANDBY, pods)
  return readTable(pods, STANDBY)
}

const percent = (part: number, of: number): string => `${((100 * part) / of).toFixed(1)} %`

interface Compared {
  readonly row: readonly string[]
  readonly observation: Observation
}

async function compare(of: Balancing, event: string, backends: number, pods: Pods): Promise<Compared> {
  const then = { ...of, backends }
  const [before, after] = [await loaded(of, pods), await loaded(then, pods)]
  const wrong = wrongBuckets(before, bucketsOf(of)) + wrongBuckets(after, bucketsOf(then))
  const moves = movesBetween(before.buckets, after.buckets)
  const [needed, needless] = (['needed', 'needless'] as const).map((kind) => moves.filter((one) => one === kind).length)
  const [must = 0, more = 0] = [needed, needless]
  const { length } = moves
  return {
    row: [
      formatCount(length),
      event,
      `${formatCount(must)} (${percent(must, length)})`,
      `${formatCount(more)} (${percent(more, length)})`,
    ],
    observation: {
      label: `buckets of ${formatCount(length)} that differ from the arm’s table, ${event}`,
      expected: '0',
      seen: formatCount(wrong),
      ok: wrong === 0,
    },
  }
}

/** The standby has no packets, so nothing breaks. Its own table comes back at the end. */
export const tableSizes: RunProbe = async ({ arm, pods, show }: ProbeRun) => {
  const own = { ...balancingIn(arm.settings), backends: USUAL_BACKENDS }
  const compared: Compared[] = []
  for (const buckets of bucketCounts) {
    compared.push(await compare({ ...own, buckets }, 'one leaves', USUAL_BACKENDS - 1, pods))
    compared.push(await compare({ ...own, buckets }, 'one joins', USUAL_BACKENDS + 1, pods))
  }
  await loadRules(balancingIn(arm.settings), STANDBY, pods)
  show({
    kind: 'table',
    title: `Buckets that move, with ${USUAL_BACKENDS} backends`,
    columns: ['Buckets', 'Event', 'Must move', 'Move without need'],
    rows: compared.map(({ row }) => [...row]),
    more: 0,
  })
  return {
    sentence: 'The larger the table, the smaller the share of buckets that move without need.',
    observations: compared.map(({ observation }) => observation),
  }
}

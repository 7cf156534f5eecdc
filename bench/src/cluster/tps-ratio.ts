import { CLIENT, podOf, SERVER } from '@expresslane/shared/testbed/placement'
import { median } from '@expresslane/shared/measure/measurement'
import { kubectl, NAMESPACE, removeNamespace } from './cluster.ts'
import { spread, type Bench } from '../support/table.ts'
import { bareNetperf, compareTps, pairsTaken, readTps, throughApp, TPS_LIMIT } from '../support/tps-pairs.ts'

/** The same netperf test through the app and by `kubectl exec`, in the same pods. */
export const clusterTpsRatio: Bench = async (app) => {
  const session = await app.session('big-tcp-ipv4', 'kubernetes')
  const { placement, problem } = await app.run(session, 'deploy', { solve: true })
  const address = podOf(placement, SERVER)?.addresses.ipv4
  if (address === undefined || address === null) throw new Error(problem?.message ?? 'netperf was not deployed')
  const inClient = ['-n', NAMESPACE, 'exec', podOf(placement, CLIENT)?.name ?? '', '--']
  const ratios = await compareTps(
    () => throughApp(app, session),
    async () => readTps(await kubectl(...inClient, ...bareNetperf(address))),
  )
  await app.run(session, 'restore', {})
  await removeNamespace()
  return {
    what: 'TPS through Expresslane over TPS of `kubectl exec netperf`, on a cluster',
    bound: '>= 0.99',
    measured: spread(ratios, 3),
    how: `${pairsTaken}, in the same pods`,
    holds: median(ratios) >= TPS_LIMIT,
  }
}

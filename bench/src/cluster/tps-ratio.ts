import { CLIENT, podOf, SERVER } from '@expresslane/shared/testbed/placement'
import { kubectl, NAMESPACE, removeNamespace } from './cluster.ts'
import type { Bench } from '../support/table.ts'
import { bareNetperf, readTps, throughApp, tpsRatioRow } from '../support/tps-pairs.ts'

/** The same netperf test through the app and by `kubectl exec`, in the same pods. */
export const clusterTpsRatio: Bench = async (app) => {
  const session = await app.session('big-tcp-ipv4', 'kubernetes')
  const { placement, problem } = await app.run(session, 'deploy', { solve: true })
  const address = podOf(placement, SERVER)?.addresses.ipv4
  if (address === undefined || address === null) throw new Error(problem?.message ?? 'netperf was not deployed')
  const inClient = ['-n', NAMESPACE, 'exec', podOf(placement, CLIENT)?.name ?? '', '--']
  const row = await tpsRatioRow(
    'TPS through Expresslane over TPS of `kubectl exec netperf`, on a cluster',
    async () => throughApp(app, await app.session('big-tcp-ipv4', 'kubernetes')),
    async () => readTps(await kubectl(...inClient, ...bareNetperf(address))),
    'in the same pods',
  )
  await app.run(session, 'restore', {})
  await removeNamespace()
  return row
}

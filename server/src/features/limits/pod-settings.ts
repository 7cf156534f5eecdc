/** Limits the client's pod and lengthens the path, for new pods, and reads both back from the kernel. */
import type { Settings } from '@expresslane/shared/base/settings'
import { RESPONSE_BYTES } from '@expresslane/shared/features/limits/benchmarks'
import {
  CONGESTION_CONTROL,
  congestionControlIn,
  GSO_SIZE,
  gsoSizeIn,
  IDLE_SLOW_START,
  isIdleSlowStart,
  LONG_PATH,
  limiterIn,
  limitIn,
  longPathIn,
  POD_LIMIT,
  POD_LIMITER,
  settings,
} from '@expresslane/shared/features/limits/settings'
import { LEGACY_MAX_SIZE } from '@expresslane/shared/testbed/reading'
import { CLIENT, SERVER } from '@expresslane/shared/testbed/placement'
import { singlePackets } from '../../tools/ip-link.ts'
import { ipBatchArgv } from '../../tools/ipvs.ts'
import { bulkArgv, isBulkReady, isPaceReady, paceArgv } from '../../tools/nodeport/pace.ts'
import { isRouteReady, routeArgv } from '../../tools/nodeport/route.ts'
import { tcBatchArgv } from '../../tools/traffic-control.ts'
import type { Pods, PodSettings } from '../feature.ts'
import { RESPONSE_PORT } from './after-pause.ts'
import { limiterBatches, pathBatches, sizeBatch, tcpArgv } from './commands.ts'
import { readSettings } from './reading.ts'
import { far, halves, near, POD_END, WIRE } from './topology.ts'

async function setSizes(size: number, pods: Pods): Promise<void> {
  if (size === LEGACY_MAX_SIZE) return
  for (const { role, nodeRole, lxc } of halves) {
    await pods.feed(nodeRole, { argv: ipBatchArgv, input: sizeBatch([WIRE, lxc], size) })
    await pods.feed(role, { argv: ipBatchArgv, input: sizeBatch([POD_END], size) })
  }
}

/** Each path that is made has other losses; the commands in the run's log name the seed. */
let seed = 0

async function setPath(values: Settings, pods: Pods): Promise<void> {
  const path = longPathIn(values)
  if (path === 'none') return
  seed += 1
  const batches = pathBatches(path, seed)
  await pods.feed(near.nodeRole, { argv: tcBatchArgv, input: batches.near })
  await pods.feed(far.nodeRole, { argv: tcBatchArgv, input: batches.far })
  for (const role of [CLIENT, SERVER]) {
    await pods.run(role, tcpArgv(congestionControlIn(values), isIdleSlowStart(values)))
    // netem counts a packet of 64 KiB as one, and would lose all of it.
    if (path !== 'long') await pods.feed(role, { argv: ipBatchArgv, input: singlePackets(POD_END) })
  }
  // After TCP's settings: a socket keeps the windows that it is made with.
  const argv = bulkArgv(RESPONSE_PORT, RESPONSE_BYTES)
  await pods.hold(SERVER, { argv, isReady: isBulkReady })
}

async function setLimiter(values: Settings, pods: Pods): Promise<void> {
  const by = limiterIn(values)
  const { ip, tc } = limiterBatches(by, limitIn(values))
  if (ip !== '') await pods.feed(near.nodeRole, { argv: ipBatchArgv, input: ip })
  if (tc !== '') await pods.feed(near.nodeRole, { argv: tcBatchArgv, input: tc })
  if (by !== 'edt' && by !== 'edt-routed') return
  const addresses = Object.values(near.addresses)
  const node = `net:${near.nodeRole}`
  await pods.hold(node, { argv: paceArgv(WIRE, limitIn(values), addresses), isReady: isPaceReady })
  if (by === 'edt') return
  await pods.hold(node, { argv: routeArgv({ device: near.lxc, wire: WIRE, pods: addresses }), isReady: isRouteReady })
}

export const podSettings: PodSettings = {
  settings: [POD_LIMITER, POD_LIMIT, GSO_SIZE, LONG_PATH, CONGESTION_CONTROL, IDLE_SLOW_START],
  async set(values, pods) {
    await setSizes(gsoSizeIn(values), pods)
    await setPath(values, pods)
    await setLimiter(values, pods)
  },
  async read(pods) {
    const off = Object.fromEntries(settings.map((one) => [one.id, one.off]))
    return { ...off, ...(await readSettings(pods)) }
  },
}

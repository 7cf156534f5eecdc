/** The limiter, the path and the pods' TCP, as the kernel has them, with their counters. */
import { LabError } from '@expresslane/shared/base/errors'
import type { Settings } from '@expresslane/shared/base/settings'
import {
  CONGESTION_CONTROL,
  GSO_SIZE,
  IDLE_SLOW_START,
  LONG_PATH,
  POD_LIMIT,
  POD_LIMITER,
  type Limiter,
} from '@expresslane/shared/features/limits/settings'
import { CLIENT, SERVER } from '@expresslane/shared/testbed/placement'
import { linkShowArgv, parseLinks } from '../../tools/ip-link.ts'
import { paceCountersArgv, parsePaceCounters } from '../../tools/nodeport/pace.ts'
import { parsePath, pathArgv } from '../../tools/nodeport/route.ts'
import { qdiscArgv } from '../../tools/qdisc.ts'
import { ingressFiltersArgv, parsePolicer, parseQueues, type Queue } from '../../tools/traffic-control.ts'
import type { Pods } from '../feature.ts'
import { lookWithRights } from '../look.ts'
import { QUEUE_DEVICE, readTcpArgv } from './commands.ts'
import { far, near, POD_END, WIRE } from './topology.ts'

const BITS = 8
const MEGA = 1e6

interface LimiterRead {
  readonly limiter: Limiter
  /** Null without a limit. */
  readonly mbit: number | null
  readonly passed: number
  readonly dropped: number
  /** Packets that host routing brought to the wire. */
  readonly routed: number
}

const none: LimiterRead = { limiter: 'none', mbit: null, passed: 0, dropped: 0, routed: 0 }

/** fq alone limits nothing: the program writes the times. */
async function readPace(held: Queue, pods: Pods): Promise<LimiterRead> {
  const answer = await pods.ask(`net:${near.nodeRole}`, paceCountersArgv)
  if (!answer.ok) return none
  const { mbit, passed, dropped } = parsePaceCounters(answer.lines.join('').trim())
  const { route } = parsePath((await lookWithRights(near.nodeRole, pathArgv(near.lxc, WIRE), pods)).trim())
  const routed = route?.outRedirected ?? 0
  const limiter = route === null ? 'edt' : 'edt-routed'
  return { limiter, mbit, passed, dropped: dropped + held.drops, routed }
}

async function readLimiter(queues: readonly Queue[], pods: Pods): Promise<LimiterRead> {
  const find = (kind: string, device: string): Queue | undefined =>
    queues.find((one) => one.kind === kind && one.dev === device)
  const bucket = find('tbf', QUEUE_DEVICE)
  if (bucket !== undefined) {
    const { packets: passed, drops: dropped, options } = bucket
    const mbit = typeof options.rate === 'number' ? (options.rate * BITS) / MEGA : null
    return { ...none, limiter: 'tbf', mbit, passed, dropped }
  }
  if (find('clsact', near.lxc) !== undefined) {
    return { ...none, limiter: 'police', ...parsePolicer(await pods.look(near.nodeRole, ingressFiltersArgv(near.lxc))) }
  }
  const held = find('fq', WIRE)
  return held === undefined ? none : readPace(held, pods)
}

export interface Read extends LimiterRead {
  /** The delay and the losses on the way to the server; undefined on a short path. */
  readonly path: Queue | undefined
}

/** @throws LabError of the tools; `signal.reason` */
export async function readCounters(pods: Pods): Promise<Read> {
  const [here, there] = await Promise.all(
    [near, far].map(async ({ nodeRole }) => parseQueues(await pods.look(nodeRole, qdiscArgv))),
  )
  const path = there?.find(({ kind, dev }) => kind === 'netem' && dev === far.lxc)
  return { ...(await readLimiter(here ?? [], pods)), path }
}

function pathOf({ options }: Queue): string {
  if (options.rate === undefined) return 'long'
  const percent = Number(((options['loss-random']?.loss ?? 0) * 100).toFixed(3))
  return percent === 0 ? 'narrow' : `narrow-${percent}`
}

/** The TCP of both pods, which must be alike. @throws LabError `datapath_not_taken` */
async function readTcp(pods: Pods): Promise<Settings> {
  const [client = '', server] = await Promise.all([CLIENT, SERVER].map((role) => pods.look(role, readTcpArgv)))
  const [congestion = '', idle] = client.trim().split('\n')
  if (client === server) return { [CONGESTION_CONTROL]: congestion, [IDLE_SLOW_START]: idle === '1' }
  const message = 'The two pods have different TCP settings.'
  throw new LabError('datapath_not_taken', message, 'Deploy again: every deploy makes new pods.')
}

/** @throws LabError of the tools; `signal.reason` */
export async function readSettings(pods: Pods): Promise<Settings> {
  const { limiter, mbit, path } = await readCounters(pods)
  const [link] = parseLinks(await pods.look(CLIENT, linkShowArgv(POD_END)))
  return {
    [POD_LIMITER]: limiter,
    // Without a limiter the limit has no effect, nor TCP's settings without a long path: then they are off.
    ...(mbit === null ? {} : { [POD_LIMIT]: mbit }),
    [GSO_SIZE]: link?.gsoIpv4MaxSize ?? link?.gsoMaxSize ?? null,
    [LONG_PATH]: path === undefined ? 'none' : pathOf(path),
    ...(path === undefined ? {} : await readTcp(pods)),
  }
}

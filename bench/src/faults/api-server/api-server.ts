/** The API server breaks in phases of the cluster lab, at a random request of each, and works again. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { clusterEnv, removeNamespace } from '../../cluster/cluster.ts'
import { PROXIED } from '../../cluster/upstream.ts'
import { openApp } from '../../support/app.ts'
import { openEvents } from '../../support/events.ts'
import type { Row } from '../../support/table.ts'
import type { Figure, FigureContext } from '../figure.ts'
import { ciliumConfig, differences, putBack } from './cluster-state.ts'
import { openFaultProxy } from './fault-proxy.ts'
import { phases, walkThrough, type Outcome, type Phase } from './walk.ts'
import { proxied, ways, type Way } from './ways.ts'

/** The phases that change or load the cluster: only these are broken in ways that hurt the cluster itself. */
const CHANGING: ReadonlySet<Phase> = new Set(['deploy', 'enable', 'measure-on'])
/** The short form's lab with one way to break. */
const BRIEF: readonly Phase[] = ['deploy', 'enable', 'restore']
/** The short form's lab with all ways, each in one phase. */
const CHANGED: readonly Phase[] = ['deploy', 'baseline', 'enable', 'redeploy', 'measure-on', 'restore']
const STOP_S = 5

/** The faults of a figure. */
interface Breaks {
  /** For the table. */
  readonly words: string
  /** The phases to go through, and the way to break in each. */
  readonly ways: ReadonlyMap<Phase, Way | null>
  /** The way at the end, when the server stops. */
  readonly last: Way
}

/** The same way to break in each phase. The short form breaks a single phase, another phase for each way. */
function oneWay(way: Way, context: FigureContext): Breaks {
  const words = `The API server ${way.words} in each phase of the cluster lab`
  const one = (Math.floor(context.random() * BRIEF.length) + ways.indexOf(way)) % BRIEF.length
  const isBroken = (phase: Phase): boolean => !way.hurts || CHANGING.has(phase)
  const chosen = context.short
    ? BRIEF.map((phase, index) => [phase, index === one ? way : null] as const)
    : phases.map((phase) => [phase, isBroken(phase) ? way : null] as const)
  return { words, ways: new Map(chosen), last: way }
}

/** The ways that spare the rest of the cluster, in turn: another way in each phase. */
function inTurn(context: FigureContext): Breaks {
  const first = Math.floor(context.random() * proxied.length)
  const way = (index: number): Way => proxied[(first + index) % proxied.length] ?? proxied[0]
  const walked = context.short ? CHANGED : phases
  return {
    words: 'The API server breaks in another way in each phase of the cluster lab',
    ways: new Map(walked.map((phase, index) => [phase, way(index)])),
    last: proxied[0],
  }
}

function counted(outcomes: readonly Outcome[]): string {
  const says = outcomes.map((outcome) => outcome.says)
  return [...new Set(says)].map((one) => `${says.filter((other) => other === one).length} ${one}`).join(', ')
}

async function measure({ words, ways: planned, last }: Breaks, context: FigureContext): Promise<Row> {
  const directory = await mkdtemp(join(tmpdir(), 'expresslane-faults-'))
  const before = await ciliumConfig()
  const proxy = await openFaultProxy(context.random)
  const kubeconfig = join(directory, 'kubeconfig')
  await proxy.writeKubeconfig(kubeconfig)
  const app = await openApp({ ...(await clusterEnv()), KUBECONFIG: kubeconfig, EXPRESSLANE_CONTEXT: PROXIED })
  let isWell = false
  try {
    const walk = { app, proxy, context, session: await app.session('big-tcp-ipv4', 'kubernetes') }
    // As an open page: the path is read all the time.
    const stream = await openEvents(app.link)
    const { outcomes, wrong } = await walkThrough(walk, planned)
    const left = await differences(before)
    isWell = left.length === 0
    await last.begin(proxy, 0)
    await setTimeout(500)
    const since = performance.now()
    await app.close()
    const seconds = (performance.now() - since) / 1000
    await stream.closed
    const all = [...wrong, ...left, ...(seconds <= STOP_S ? [] : [`SIGTERM took ${seconds.toFixed(1)} s`])]
    return {
      what: words,
      bound:
        'passes or ends with a typed error, the next run passes, the datapath is read again, Restore restores all; SIGTERM meanwhile <= 5 s',
      measured: `${counted(outcomes)}; ${all.length === 0 ? 'as it was' : all.join('; ')}; SIGTERM ${seconds.toFixed(1)} s`,
      how: `${outcomes.length === 1 ? 'one phase' : `${outcomes.length} phases, each`} broken at a random request of it`,
      holds: all.length === 0,
    }
  } finally {
    await last.heal(proxy)
    await app.close()
    proxy.close()
    if (!isWell) await putBack(before)
    await removeNamespace()
    await rm(directory, { recursive: true })
  }
}

/** A figure for each way to break, and a figure with several ways: the short form for a test run. */
export const apiServerFigures: readonly Figure[] = [
  {
    name: 'api-ways',
    needs: ['E2E_KUBECONFIG'],
    run: (context) => measure(inTurn(context), context),
  },
  ...ways.map((way) => ({
    name: way.name,
    needs: ['E2E_KUBECONFIG', ...way.needs],
    run: (context: FigureContext) => measure(oneWay(way, context), context),
  })),
]

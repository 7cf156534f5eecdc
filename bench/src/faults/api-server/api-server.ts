/** The API server breaks in each phase of the cluster lab, at a random request of it, and works again. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { isOpen, type RunState } from '@expresslane/shared/run/run-state'
import { runAccepted, runResponse, testbedView } from '@expresslane/shared/wire/protocol'
import { clusterEnv, removeNamespace } from '../../cluster/cluster.ts'
import { PROXIED } from '../../cluster/upstream.ts'
import { openApp, type BenchApp } from '../../support/app.ts'
import { openEvents } from '../../support/events.ts'
import type { Figure, FigureContext } from '../figure.ts'
import type { Row } from '../../support/table.ts'
import { ciliumConfig, differences, putBack } from './cluster-state.ts'
import { openFaultProxy, type FaultProxy } from './fault-proxy.ts'
import { judge } from './judge.ts'
import { ways, type Way } from './ways.ts'

/** The phases of the lab, and about how many requests each of them makes. */
const PHASES = {
  preflight: 70,
  'verify-off': 12,
  deploy: 40,
  'read-off': 12,
  baseline: 30,
  enable: 60,
  'read-switched': 12,
  redeploy: 40,
  'measure-on': 30,
  compare: 1,
  restore: 60,
} as const
type Phase = keyof typeof PHASES
const phases = Object.keys(PHASES) as Phase[]
/** What changes or loads the cluster: for what hurts the cluster itself. */
const CHANGING: readonly Phase[] = ['deploy', 'enable', 'measure-on']
/** The short form's whole lab. */
const BRIEF: readonly Phase[] = ['deploy', 'enable', 'restore']
/** The longest patience is a minute, and agents restart after it. */
const STUCK_MS = 180_000
const POLL_MS = 200
const STOP_S = 5
const params = { repeats: 2, seconds: 1 }

interface Walk {
  readonly app: BenchApp
  readonly proxy: FaultProxy
  readonly session: string
  readonly way: Way
  readonly context: FigureContext
}

async function begin({ app, session }: Walk, phase: Phase): Promise<string> {
  const path = `/api/sessions/${session}/steps/${phase}/run`
  return runAccepted.parse(await app.ask('POST', path, { params })).runId
}

async function ended({ app }: Walk, runId: string): Promise<RunState> {
  const since = performance.now()
  for (;;) {
    const { run } = runResponse.parse(await app.ask('GET', `/api/runs/${runId}`))
    if (!isOpen(run) || performance.now() - since > STUCK_MS) return run
    await setTimeout(POLL_MS)
  }
}

/** Runs the phase, breaks the API server in it, and heals it. @param at the request of the phase at which it breaks */
async function broken(walk: Walk, phase: Phase, at: number): Promise<{ run: RunState; isHit: boolean }> {
  const { proxy, way, context } = walk
  const hit = way.begin(proxy, at).then(() => 'hit' as const)
  const runId = await begin(walk, phase)
  const run = ended(walk, runId)
  const isHit = (await Promise.race([hit, run])) === 'hit'
  const { lasts } = way
  if (isHit && lasts !== null) await setTimeout(1000 * (lasts[0] + context.random() * (lasts[1] - lasts[0])))
  else await run
  if (!isHit) console.error(`  ${phase} has only ${proxy.passed()} requests`)
  await way.heal(proxy)
  return { run: await run, isHit }
}

/** What the app reads of the datapath now is what the cluster says. @returns what is wrong; null if nothing is */
async function readsAnew({ app }: Walk): Promise<string | null> {
  const { problem, datapath } = testbedView.parse(await app.ask('GET', '/api/testbeds/kubernetes?fresh=true'))
  const asked = (await ciliumConfig())['enable-ipv4-big-tcp'] === 'true'
  if (problem !== null) return `after it the cluster can't be read: ${problem.message}`
  return datapath?.settings['big-tcp-ipv4'] === asked ? null : `the app reads ${JSON.stringify(datapath?.settings)}`
}

interface Outcome {
  readonly says: string
  readonly wrong: readonly string[]
}

async function phaseOf(walk: Walk, phase: Phase): Promise<Outcome> {
  const { way, context } = walk
  const first = await broken(walk, phase, Math.floor(context.random() * PHASES[phase]))
  // It had fewer requests: then it breaks at the first one.
  const { run } = first.isHit ? first : await broken(walk, phase, 0)
  const { passed, says, wrong } = judge(run)
  const found = wrong === null ? [] : [wrong]
  const misread = await readsAnew(walk)
  if (misread !== null) found.push(misread)
  if (!passed) {
    const again = judge(await ended(walk, await begin(walk, phase)))
    if (!again.passed) found.push(`and after it: ${again.wrong ?? again.says}`)
  }
  console.error(`  ${way.words} in ${phase}: ${says}${found.length === 0 ? '' : `; WRONG: ${found.join('; ')}`}`)
  return { says, wrong: found.map((words) => `${phase}: ${words}`) }
}

function counted(outcomes: readonly Outcome[]): string {
  const says = outcomes.map((outcome) => outcome.says)
  return [...new Set(says)].map((one) => `${says.filter((other) => other === one).length} ${one}`).join(', ')
}

/** The phases to go through, and those of them to break. */
function plan({ context, way }: Walk): { readonly phases: readonly Phase[]; readonly breaks: ReadonlySet<Phase> } {
  if (context.short) {
    // Not the same one in each way.
    const chosen = BRIEF[(Math.floor(context.random() * BRIEF.length) + ways.indexOf(way)) % BRIEF.length]
    return { phases: BRIEF, breaks: new Set(chosen === undefined ? [] : [chosen]) }
  }
  return { phases, breaks: new Set(way.hurts ? CHANGING : phases) }
}

async function walkThrough(walk: Walk): Promise<{ outcomes: Outcome[]; wrong: string[] }> {
  const outcomes: Outcome[] = []
  const wrong: string[] = []
  const planned = plan(walk)
  for (const phase of planned.phases) {
    if (planned.breaks.has(phase)) {
      const outcome = await phaseOf(walk, phase)
      outcomes.push(outcome)
      wrong.push(...outcome.wrong)
      continue
    }
    const { passed, says } = judge(await ended(walk, await begin(walk, phase)))
    if (!passed) wrong.push(`${phase}, which nothing broke: ${says}`)
  }
  return { outcomes, wrong }
}

async function measure(way: Way, context: FigureContext): Promise<Row> {
  const directory = await mkdtemp(join(tmpdir(), 'expresslane-faults-'))
  const before = await ciliumConfig()
  const proxy = await openFaultProxy(context.random)
  const kubeconfig = join(directory, 'kubeconfig')
  await proxy.writeKubeconfig(kubeconfig)
  const app = await openApp({ ...(await clusterEnv()), KUBECONFIG: kubeconfig, EXPRESSLANE_CONTEXT: PROXIED })
  let isWell = false
  try {
    const walk = { app, proxy, way, context, session: await app.session('big-tcp-ipv4', 'kubernetes') }
    // As an open page: the path is read all the time.
    const stream = await openEvents(app.link)
    const { outcomes, wrong } = await walkThrough(walk)
    const left = await differences(before)
    isWell = left.length === 0
    await way.begin(proxy, 0)
    await setTimeout(500)
    const since = performance.now()
    await app.close()
    const seconds = (performance.now() - since) / 1000
    await stream.closed
    const all = [...wrong, ...left, ...(seconds <= STOP_S ? [] : [`SIGTERM took ${seconds.toFixed(1)} s`])]
    return {
      what: `The API server ${way.words} in each phase of the cluster lab`,
      bound:
        'passes or ends with a typed error, the next run passes, the datapath is read again, Restore restores all; SIGTERM meanwhile <= 5 s',
      measured: `${counted(outcomes)}; ${all.length === 0 ? 'as it was' : all.join('; ')}; SIGTERM ${seconds.toFixed(1)} s`,
      how: `${outcomes.length === 1 ? 'one phase' : `${outcomes.length} phases, each`} broken at a random request of it`,
      holds: all.length === 0,
    }
  } finally {
    await way.heal(proxy)
    await app.close()
    proxy.close()
    if (!isWell) await putBack(before)
    await removeNamespace()
    await rm(directory, { recursive: true })
  }
}

/** One figure for each way to break. */
export const apiServerFigures: readonly Figure[] = ways.map((way) => ({
  name: way.name,
  needs: ['E2E_KUBECONFIG', ...way.needs],
  run: (context) => measure(way, context),
}))

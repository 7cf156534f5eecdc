/** Walks through the cluster lab with an API server that breaks in some of its phases, and works again. */
import { setTimeout } from 'node:timers/promises'
import { isOpen, type RunState } from '@expresslane/shared/run/run-state'
import { runAccepted, runResponse, testbedView } from '@expresslane/shared/wire/protocol'
import type { BenchApp } from '../../support/app.ts'
import type { FigureContext } from '../figure.ts'
import { ciliumConfig } from './cluster-state.ts'
import type { FaultProxy } from './fault-proxy.ts'
import { judge } from './judge.ts'
import type { Way } from './ways.ts'

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
export type Phase = keyof typeof PHASES
export const phases = Object.keys(PHASES) as Phase[]
/** The longest patience is a minute, and agents restart after it. */
const STUCK_MS = 180_000
const POLL_MS = 200
const params = { repeats: 2, seconds: 1 }

export interface Walk {
  readonly app: BenchApp
  readonly proxy: FaultProxy
  readonly session: string
  readonly context: FigureContext
}

/** A phase, and the way in which the API server breaks in it. */
export interface Broken {
  readonly phase: Phase
  readonly way: Way
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
async function broken(walk: Walk, { phase, way }: Broken, at: number): Promise<{ run: RunState; isHit: boolean }> {
  const { proxy, context } = walk
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

/** Compares the app's new reading of the datapath with the cluster. @returns the mistake; null without one */
async function readsAnew({ app }: Walk): Promise<string | null> {
  const { problem, datapath } = testbedView.parse(await app.ask('GET', '/api/testbeds/kubernetes?fresh=true'))
  const asked = (await ciliumConfig())['enable-ipv4-big-tcp'] === 'true'
  if (problem !== null) return `after it the cluster can't be read: ${problem.message}`
  return datapath?.settings['big-tcp-ipv4'] === asked ? null : `the app reads ${JSON.stringify(datapath?.settings)}`
}

export interface Outcome {
  readonly says: string
  readonly wrong: readonly string[]
}

async function phaseOf(walk: Walk, one: Broken): Promise<Outcome> {
  const { phase, way } = one
  const first = await broken(walk, one, Math.floor(walk.context.random() * PHASES[phase]))
  // The phase had fewer requests than that, so the proxy breaks at the first.
  const { run } = first.isHit ? first : await broken(walk, one, 0)
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

/**
 * Goes through the phases in their order.
 *
 * @param ways the way in which the API server breaks in a phase; null where it does not
 */
export async function walkThrough(
  walk: Walk,
  ways: ReadonlyMap<Phase, Way | null>,
): Promise<{ outcomes: Outcome[]; wrong: string[] }> {
  const outcomes: Outcome[] = []
  const wrong: string[] = []
  for (const [phase, way] of ways) {
    if (way !== null) {
      const outcome = await phaseOf(walk, { phase, way })
      outcomes.push(outcome)
      wrong.push(...outcome.wrong)
      continue
    }
    const { passed, says } = judge(await ended(walk, await begin(walk, phase)))
    if (!passed) wrong.push(`${phase}, which nothing broke: ${says}`)
  }
  return { outcomes, wrong }
}

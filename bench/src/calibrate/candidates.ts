/**
 * `npm run bench -- calibrate --candidate placement|seconds|server|stolen [--rounds N]`: what makes repeats vary less?
 * Each candidate is measured by itself, in turn with the method that it would replace, through the app.
 */
import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { cpuPlacement } from '@expresslane/shared/testbed/placement'
import { experimentPlan, runsOf, type Design, type ExperimentPlan } from '@expresslane/shared/measure/experiment'
import { median } from '@expresslane/shared/measure/measurement'
import type { Settings } from '@expresslane/shared/base/settings'
import { measurementsOf, type RunState } from '@expresslane/shared/run/run-state'
import { openApp, type BenchApp } from '../support/app.ts'
import { standardDeviation } from './spread.ts'

const exec = promisify(execFile)

const defaults: Design = { order: 'interleaved', repeats: 8, seconds: 0.5, warmups: 1, budget: null }

function planOf(arms: readonly (readonly [string, Settings])[], design: Partial<Design>): ExperimentPlan {
  return experimentPlan.parse({
    arms: arms.map(([id, settings]) => ({ id, label: id, settings })),
    cases: [
      {
        id: 'rr',
        label: '80,000 bytes over IPv4',
        family: 'ipv4',
        benchmark: { tool: 'tcp-rr', requestBytes: 80_000, responseBytes: 80_000 },
      },
    ],
    design: { ...defaults, ...design },
  })
}

const off = { 'big-tcp-ipv4': false }
const equal = [
  ['a', off],
  ['b', off],
] as const

async function take(app: BenchApp, plan: ExperimentPlan): Promise<RunState> {
  const quietMs = runsOf(plan) * plan.design.seconds * 1000
  const run = await app.run(await app.session('bench'), 'run', { params: { plan } }, quietMs)
  if (run.state !== 'completed') throw new Error(`the experiment ended ${run.state}: ${run.problem?.message ?? ''}`)
  return run
}

function tpsOf(run: RunState, arm: string): number[] {
  return measurementsOf(run).flatMap((one) => (one.arm === arm ? (one.values['tps'] ?? []) : []))
}

/** All placements with BIG TCP off and on, in one interleaved experiment a round. */
async function placement(app: BenchApp, rounds: number): Promise<void> {
  const arms = cpuPlacement.options.flatMap((cpus) =>
    [false, true].map((on) => [`${cpus}-${on ? 'on' : 'off'}`, { 'big-tcp-ipv4': on, 'cpu-placement': cpus }] as const),
  )
  const taken = new Map<string, number[]>(arms.map(([id]) => [id, []]))
  for (let round = 0; round < rounds; round += 1) {
    const run = await take(app, planOf(arms, { repeats: 4, warmups: 0 }))
    for (const [id] of arms) taken.get(id)?.push(...tpsOf(run, id))
  }
  console.log('| placement | off | on | effect | spread off | spread on |\n| --- | --- | --- | --- | --- | --- |')
  for (const cpus of cpuPlacement.options) {
    const [before, after] = [taken.get(`${cpus}-off`) ?? [], taken.get(`${cpus}-on`) ?? []]
    const [was, is] = [median(before), median(after)]
    const spreads = [before, after].map((values) => standardDeviation(values.map(Math.log)).toFixed(3))
    console.log(
      `| ${cpus} | ${was.toFixed(0)} | ${is.toFixed(0)} | ${(is / was).toFixed(2)} | ${spreads.join(' | ')} |`,
    )
  }
}

interface Variant {
  readonly name: string
  readonly design: Partial<Design>
  readonly before?: (app: BenchApp) => Promise<void>
}

/** Equal arms under each variant in turn: the spread within an arm, and the width of the ratio's interval. */
async function inTurn(app: BenchApp, rounds: number, variants: readonly Variant[]): Promise<void> {
  const seen = variants.map(() => ({ spreads: [] as number[], widths: [] as number[] }))
  for (let round = 0; round < rounds; round += 1) {
    for (const [index, { design, before }] of variants.entries()) {
      await before?.(app)
      const run = await take(app, planOf(equal, design))
      for (const [arm] of equal) seen[index]?.spreads.push(standardDeviation(tpsOf(run, arm).map(Math.log)))
      const interval = run.comparisons[0]?.comparison.rows[0]?.interval ?? null
      if (interval !== null) seen[index]?.widths.push(interval.high - interval.low)
      console.error(
        `round ${round + 1} of ${rounds}, ${variants[index]?.name}: ${seen[index]?.spreads
          .slice(-2)
          .map((one) => one.toFixed(4))
          .join(', ')}`,
      )
    }
  }
  console.log(`| variant | experiments | spread in an arm | width of the interval |\n| --- | --- | --- | --- |`)
  for (const [index, { name }] of variants.entries()) {
    const { spreads = [], widths = [] } = seen[index] ?? {}
    console.log(`| ${name} | ${rounds} | ${median(spreads).toFixed(4)} | ${median(widths).toFixed(4)} |`)
  }
}

function seconds(app: BenchApp, rounds: number): Promise<void> {
  return inTurn(app, rounds, [
    { name: '8 × 1 s', design: { seconds: 1 } },
    { name: '16 × 0.5 s', design: { repeats: 16 } },
    { name: '8 × 0.5 s', design: {} },
  ])
}

async function serverOn(app: BenchApp, cpus: string): Promise<void> {
  await exec('taskset', ['-a', '-p', '-c', cpus, `${app.server.pid}`])
}

/** The server's threads on the first CPU, which is not the pods', or on any. */
function server(app: BenchApp, rounds: number): Promise<void> {
  return inTurn(app, rounds, [
    { name: 'server on any CPU', design: {}, before: (it) => serverOn(it, '0-4095') },
    { name: 'server on the first CPU', design: {}, before: (it) => serverOn(it, '0') },
  ])
}

/** Ticks that the hypervisor took from all CPUs. */
async function stolenTicks(): Promise<number> {
  return Number((await readFile('/proc/stat', 'utf8')).split('\n')[0]?.trim().split(/\s+/)[8])
}

/** Single runs, each with the time that was stolen meanwhile. */
async function stolen(app: BenchApp, rounds: number): Promise<void> {
  const runs: { readonly tps: number; readonly ticks: number }[] = []
  for (let round = 0; round < rounds * 8; round += 1) {
    const from = await stolenTicks()
    const run = await take(app, planOf([['a', off]], { repeats: 1, seconds: 1, warmups: 0 }))
    const ticks = (await stolenTicks()) - from
    for (const tps of tpsOf(run, 'a')) runs.push({ tps, ticks })
  }
  const kept = runs.filter(({ ticks }) => ticks === 0)
  const spread = (of: typeof runs): string => standardDeviation(of.map(({ tps }) => Math.log(tps))).toFixed(4)
  console.log('| rule | runs | spread |\n| --- | --- | --- |')
  console.log(`| all | ${runs.length} | ${spread(runs)} |`)
  console.log(`| without those with a stolen tick | ${kept.length} | ${kept.length > 1 ? spread(kept) : '–'} |`)
}

const candidates: Readonly<Record<string, (app: BenchApp, rounds: number) => Promise<void>>> = {
  placement,
  seconds,
  server,
  stolen,
}

/** @returns the exit code */
export async function tryCandidate(name: string, rounds: number): Promise<number> {
  const measure = candidates[name]
  if (measure === undefined) {
    console.error(`There is no candidate ${name}. Available: ${Object.keys(candidates).join(', ')}.`)
    return 2
  }
  const app = await openApp()
  try {
    await measure(app, rounds)
  } finally {
    await app.close()
  }
  return 0
}

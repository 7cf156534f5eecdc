/** Any two measuring runs held against each other, and what makes that unfair. Pure. */
import { compareArms, type Comparison } from '@expresslane/shared/compare'
import { isRequestResponse } from '@expresslane/shared/measurement'
import { measurementsOf, type RunState } from '@expresslane/shared/run-state'
import { familyName, formatChange, formatCount, formatTps } from '@expresslane/shared/units'
import { placementName, testbedName } from '../components/format.ts'
import { armLook } from '../theme.ts'
import { kernelWords } from './environment.ts'

export interface RunComparison {
  /** Null when either run finished no repeat. */
  readonly comparison: Comparison | null
  /** What differs besides BIG TCP, in words. */
  readonly differences: readonly string[]
  readonly sentence: string
}

function sizes(run: RunState): string | null {
  const first = measurementsOf(run)[0]
  return first === undefined || !isRequestResponse(first)
    ? null
    : `${formatCount(first.requestBytes)} / ${formatCount(first.responseBytes)} bytes`
}

function placementOf({ placement, datapath }: RunState): string | null {
  const variant = placement?.variant ?? datapath?.placement?.variant
  return variant === undefined ? null : placementName[variant]
}

function differencesOf(before: RunState, after: RunState): string[] {
  const first = (run: RunState) => run.repeats[0]
  const told: [string, (run: RunState) => string | null][] = [
    ['Address family', (run) => (first(run) === undefined ? null : familyName[first(run)?.family ?? 'ipv4'])],
    ['Request and response', sizes],
    ['Seconds a repeat', (run) => first(run)?.seconds.toString() ?? null],
    ['Testbed', (run) => testbedName(run.testbed, run.facts?.cluster?.context ?? null)],
    ['Pods', (run) => placementOf(run)],
    ['Kernel', (run) => (run.facts === null ? null : kernelWords(run.facts))],
    ['CPU', (run) => (run.facts === null ? null : `${run.facts.cpu.count} × ${run.facts.cpu.model}`)],
  ]
  const lines = told.flatMap(([name, value]) => {
    const [was, is] = [value(before), value(after)]
    if (was === is) return []
    return [`${name}: ${was ?? 'not recorded'} before, ${is ?? 'not recorded'} after.`]
  })
  const [wasArm, isArm] = [first(before)?.arm, first(after)?.arm]
  if (wasArm === undefined || wasArm !== isArm) return lines
  return [...lines, `Both were measured ${armLook(wasArm).name.replace('W', 'w')}: any difference has another cause.`]
}

function sentenceOf(comparison: Comparison | null): string {
  const tps = comparison?.rows.find(({ metric }) => metric === 'tps')
  if (comparison === null || tps === undefined) return ''
  const counts = `median of ${comparison.on.runs} against ${comparison.off.runs}`
  const figures = `${formatTps(tps.on)} after, ${formatTps(tps.off)} before, ${formatChange(tps.changePercent)} (${counts})`
  return `${figures}.`
}

/** @param before the run to compare with; its measurements take the place of `off` */
export function compareRuns(before: RunState, after: RunState): RunComparison {
  const comparison = compareArms(measurementsOf(before), measurementsOf(after))
  return { comparison, differences: differencesOf(before, after), sentence: sentenceOf(comparison) }
}

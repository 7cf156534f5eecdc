/** Any two sides held against each other, and what makes that unfair. Pure. */
import { benchmarkKind, toolName } from '../features/metrics.ts'
import type { Comparison } from '../compare/comparison.ts'
import { compareArms } from '../compare/compare.ts'
import { fingerprintDifferences, type Difference } from '../measure/fingerprint.ts'
import type { Measurement } from '../measure/measurement.ts'
import type { Side } from './sides.ts'
import { familyName, type Family } from '../measure/units.ts'

export interface SidesCompared {
  /** Null when a side finished no repeat, or the two have no metric in common. */
  readonly comparison: Comparison | null
  /** What differs besides BIG TCP, what was measured first. */
  readonly differences: readonly Difference[]
  /** Both were measured under the same setting, said in a sentence; null where not. */
  readonly sameArm: string | null
  /** What both were measured over; null where that differs. */
  readonly family: Family | null
}

const NOT_RECORDED = 'not recorded'

function firstOf({ taken }: Side): Measurement | null {
  return taken.find(({ warmup }) => !warmup) ?? null
}

/** The benchmark's own parameters in words; null where it has none to tell. */
function parametersOf({ benchmark }: Measurement): { readonly label: string; readonly value: string } | null {
  return benchmarkKind(benchmark).describe(benchmark)
}

/** From before each measurement had a fingerprint: what the run itself told. */
function factsOf({ run: { facts } }: Side): Map<string, string> {
  return new Map([
    ['Testbed', facts?.name ?? NOT_RECORDED],
    ['Kernel', facts?.kernel ?? NOT_RECORDED],
    ['CPU', facts === null ? NOT_RECORDED : `${facts.cpu.count} × ${facts.cpu.model}`],
  ])
}

function unlike(was: ReadonlyMap<string, string>, is: ReadonlyMap<string, string>, missing: string): Difference[] {
  return [...new Set([...was.keys(), ...is.keys()])].flatMap((label) => {
    const [before, after] = [was.get(label) ?? missing, is.get(label) ?? missing]
    return before === after ? [] : [{ label, was: before, is: after }]
  })
}

function measuredWords(side: Side, one: Measurement): Map<string, string> {
  const parameters = parametersOf(one)
  return new Map([
    ['Tool', toolName(one.benchmark)],
    ['Address family', familyName[one.family]],
    ...(parameters === null ? [] : [[parameters.label, parameters.value] as const]),
    ['Seconds a run', `${side.seconds} s`],
  ])
}

/** What differs between two sides besides BIG TCP: what was measured, then where. Their first runs speak for them. */
export function sideDifferences(before: Side, after: Side): Difference[] {
  const [was, is] = [firstOf(before), firstOf(after)]
  if (was === null || is === null) return []
  const measured = unlike(measuredWords(before, was), measuredWords(after, is), 'none')
  const environment = fingerprintDifferences(was.fingerprint, is.fingerprint, was.family)
  const told =
    was.fingerprint === null || is.fingerprint === null ? unlike(factsOf(before), factsOf(after), NOT_RECORDED) : []
  return [...measured, ...told, ...environment]
}

function settingOf(one: Measurement | null): boolean | null {
  if (one === null) return null
  if (one.fingerprint !== null) return one.fingerprint.setting[one.family]
  return one.arm === 'off' || one.arm === 'on' ? one.arm === 'on' : null
}

function sameArmOf(before: Side, after: Side): string | null {
  const [was, is] = [firstOf(before), firstOf(after)]
  const setting = settingOf(was)
  if (setting === null || setting !== settingOf(is)) return null
  // Two sizes of packets are two settings, whatever BIG TCP is.
  const [size, other] = [was, is].map((one) => [one?.fingerprint?.limit, one?.fingerprint?.mtu].join())
  if (size !== other) return null
  return `Both were measured ${setting ? 'with' : 'without'} BIG TCP: any difference has another cause.`
}

/** For sentences: `without BIG TCP`, `64K`; two of one name as the first and the second. */
function namesOf(before: Side, after: Side): { off: string; on: string } {
  if (before.arm.label === after.arm.label) return { off: 'the first run', on: 'the second run' }
  const inside = (label: string): string => label.replace(/^With/, 'with')
  return { off: inside(before.arm.label), on: inside(after.arm.label) }
}

function subjectOf(before: Side, after: Side): string | null {
  const [was, is] = [firstOf(before), firstOf(after)]
  if (was === null || is === null || was.family !== is.family) return null
  const alike = [was, is].map(({ benchmark }) => {
    const { subject, describe, name } = benchmarkKind(benchmark)
    // What has no parameters is named by its tool.
    return subject(benchmark, is.family) + (describe(benchmark) === null ? ` (${name})` : '')
  })
  return alike[0] === alike[1] ? (alike[0] ?? null) : null
}

/** @param before the side to compare with; its measurements take the place of `off` */
export function compareSides(before: Side, after: Side): SidesCompared {
  const { plan } = after.run
  const together = before.run.id === after.run.id && plan?.design.order === 'interleaved'
  const subject = subjectOf(before, after)
  const comparison = compareArms(before.taken, after.taken, {
    order: together ? 'interleaved' : 'sequential',
    names: namesOf(before, after),
    ...(subject === null ? {} : { subject }),
  })
  const [was, is] = [firstOf(before)?.family, firstOf(after)?.family]
  return {
    comparison,
    differences: sideDifferences(before, after),
    sameArm: sameArmOf(before, after),
    family: was !== undefined && was === is ? was : null,
  }
}

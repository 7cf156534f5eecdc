/** Compares any two sides, and lists the different conditions. Pure. */
import { i18n } from '../base/language.ts'
import { publishedForPair, type PublishedBeside } from '../compare/published.ts'
import { toolName, toolOf } from '../features/metrics.ts'
import type { Comparison } from '../compare/comparison.ts'
import { compareArms } from '../compare/compare.ts'
import { fingerprintDifferences, type Difference } from '../compare/differences.ts'
import { armPhraseOf, comparedFeature } from '../features/arms.ts'
import { allSettings, findSetting, settingsFor } from '../features/settings.ts'
import { cpuPlacementOf } from '../features/cpu-placement.ts'
import { changedSettings } from '../base/settings.ts'
import { areCounted, formatClockTime, type Clock } from '../measure/clock.ts'
import { acrossClocks } from '../measure/counted-words.ts'
import type { Measurement } from '../measure/measurement.ts'
import type { RunState } from './run-state.ts'
import type { Side } from './sides.ts'
import { familyName } from '../base/units.ts'

export interface SidesCompared {
  /** Null if a side finished no repeat, the two have no common metric, or their clocks have different units. */
  readonly comparison: Comparison | null
  /** Differences besides the compared settings: first in the benchmark, then in the environment. */
  readonly differences: readonly Difference[]
  /** There is no verdict across clocks of different units. */
  readonly acrossClocks: boolean
  /** A sentence, if both were measured with the same settings; else null. */
  readonly sameArm: string | null
  /** Figures that others published for the same change. */
  readonly published: readonly PublishedBeside[]
}

const notRecorded = (): string => i18n.t('not recorded')

function firstOf({ taken }: Side): Measurement | null {
  return taken.find(({ warmup }) => !warmup) ?? null
}

/** The benchmark's parameters in words; null if it has none. */
function parametersOf({ benchmark }: Measurement): { readonly label: string; readonly value: string } | null {
  return toolOf(benchmark).describe(benchmark)
}

/** The clock of the machine that was measured. */
function clockOf({ fingerprint }: Measurement): Clock {
  return fingerprint?.instructionsPerMicrosecond ?? null
}

type Words = ReadonlyMap<string, readonly [label: string, value: string]>

/** For measurements from before fingerprints: the facts that the run reported. */
function factsOf({ run: { facts } }: Side): Words {
  return new Map([
    ['name', [i18n.t('Testbed'), facts?.name ?? notRecorded()]],
    ['kernel', ['Kernel', facts?.kernel ?? notRecorded()]],
    ['cpu', ['CPU', facts === null ? notRecorded() : `${facts.cpu.count} × ${facts.cpu.model}`]],
  ])
}

function unlike(was: Words, is: Words, missing: string): Difference[] {
  return [...new Set([...was.keys(), ...is.keys()])].flatMap((key) => {
    const [before, after] = [was.get(key), is.get(key)]
    const [label, values] = [(before ?? after)?.[0] ?? key, [before?.[1] ?? missing, after?.[1] ?? missing] as const]
    return values[0] === values[1] ? [] : [{ key, label, was: values[0], is: values[1] }]
  })
}

/** The first of all differences: figures of different clocks say nothing about each other. */
function unitWords({ values }: Measurement): Words {
  return new Map([['clock', [i18n.t('What is counted'), areCounted(values) ? i18n.t('instructions') : i18n.t('time')]]])
}

function measuredWords(side: Side, one: Measurement): Words {
  const parameters = parametersOf(one)
  return new Map<string, readonly [string, string]>([
    ['tool', [i18n.t('Tool'), toolName(one.benchmark)]],
    ['family', [i18n.t('Address family'), familyName[one.family]]],
    ...(parameters === null ? [] : [['parameters', [parameters.label, parameters.value]] as const]),
    ['seconds', [i18n.t('Length of a run'), formatClockTime(side.seconds, clockOf(one))]],
  ])
}

/** Leaves out the settings that the arms of each of these experiments vary: they are compared, and need no warning. */
export function besidesArms(runs: readonly RunState[], differences: readonly Difference[]): Difference[] {
  const varies = ({ plan }: RunState, { id, off }: ReturnType<typeof allSettings>[number]): boolean =>
    new Set(plan?.arms.map((arm) => arm.settings[id] ?? off)).size > 1
  const about = allSettings().filter((setting) => runs.every((run) => varies(run, setting)))
  const left = new Set(about.map(({ id, readAs }) => readAs ?? `setting:${id}`))
  // A kernel is its package, too.
  if (left.has('kernel')) left.add('version:kernel package')
  return differences.filter(({ key }) => !left.has(key))
}

/** Differences between two sides, by their first runs: first in the benchmark, then in the environment. */
export function sideDifferences(before: Side, after: Side): Difference[] {
  const [was, is] = [firstOf(before), firstOf(after)]
  if (was === null || is === null) return []
  const measured = [
    ...unlike(unitWords(was), unitWords(is), i18n.t('unknown')),
    ...unlike(measuredWords(before, was), measuredWords(after, is), i18n.t('none')),
  ]
  const all = fingerprintDifferences(was.fingerprint, is.fingerprint, was.family)
  const environment = besidesArms([before.run, after.run], all)
  const facts =
    was.fingerprint === null || is.fingerprint === null ? unlike(factsOf(before), factsOf(after), notRecorded()) : []
  return [...measured, ...facts, ...environment]
}

/** Do both have the same settings, and the same MTU and CPU placement as read back? */
function setAlike(was: Measurement, is: Measurement): boolean {
  const [before, after] = [was.fingerprint, is.fingerprint]
  if (before === null || after === null) return before === after
  const [set, other] = [settingsFor(before.settings, [was.family]), settingsFor(after.settings, [was.family])]
  const read = before.mtu === after.mtu && cpuPlacementOf(before.cpus) === cpuPlacementOf(after.cpus)
  return read && changedSettings(set, other).every((id) => findSetting(id)?.readAs !== undefined)
}

function sameArmOf(before: Side, after: Side): string | null {
  const [was, is] = [firstOf(before), firstOf(after)]
  if (was === null || is === null || !setAlike(was, is)) return null
  const phrase = armPhraseOf(was)
  if (phrase === null || phrase !== armPhraseOf(is)) return null
  return i18n.t('Both sides were measured {phrase}, so any difference has another cause.', { phrase })
}

/** `With BIG TCP` -> `with BIG TCP`. */
function inside(label: string): string {
  return label.replace(/^With/, 'with')
}

/** For sentences: `without BIG TCP`, `64K`; equal names become the first and the second run. */
function namesOf(before: Side, after: Side): { off: string; on: string } {
  if (before.arm.label === after.arm.label) return { off: i18n.t('the first run'), on: i18n.t('the second run') }
  return { off: inside(before.arm.label), on: inside(after.arm.label) }
}

function subjectOf(before: Side, after: Side): string | null {
  const [was, is] = [firstOf(before), firstOf(after)]
  if (was === null || is === null || was.family !== is.family) return null
  const alike = [was, is].map(({ benchmark }) => {
    const { subject, describe, name } = toolOf(benchmark)
    // Without parameters, the tool is the name.
    return subject(benchmark, is.family) + (describe(benchmark) === null ? ` (${name})` : '')
  })
  return alike[0] === alike[1] ? (alike[0] ?? null) : null
}

/** Two sides picked out of one experiment are one of its comparisons, judged by itself here. */
function amongOf(before: Side, after: Side, pairs: number): number {
  const { plan } = after.run
  return before.run.id !== after.run.id || plan === null
    ? pairs
    : Math.max(pairs, (plan.arms.length - 1) * plan.cases.length)
}

function publishedOf(before: Side, after: Side, comparison: Comparison): PublishedBeside[] {
  const [was, is] = [firstOf(before), firstOf(after)]
  if (was === null || is === null || was.family !== is.family) return []
  const [off, on] = [was.fingerprint?.settings ?? {}, is.fingerprint?.settings ?? {}]
  const feature = comparedFeature(was, is)?.id ?? null
  return comparison.tool === null
    ? []
    : publishedForPair({ feature, off, on, family: was.family, title: [] }, comparison.tool, comparison)
}

/**
 * @param before the side to compare with, as the `off` side of the comparison
 * @param pairs how many pairs of sides are compared in one report
 */
export function compareSides(before: Side, after: Side, pairs = 1): SidesCompared {
  const { plan } = after.run
  const together = before.run.id === after.run.id && plan?.design.order === 'interleaved'
  const subject = subjectOf(before, after)
  const comparison = compareArms(before.taken, after.taken, {
    order: together ? 'interleaved' : 'sequential',
    names: namesOf(before, after),
    among: amongOf(before, after, pairs),
    ...(subject === null ? {} : { subject }),
  })
  const [was, is] = [firstOf(before), firstOf(after)]
  return {
    comparison,
    differences: sideDifferences(before, after),
    acrossClocks: was !== null && is !== null && acrossClocks([was, is]),
    sameArm: sameArmOf(before, after),
    published: comparison === null ? [] : publishedOf(before, after, comparison),
  }
}

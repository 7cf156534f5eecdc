/** Any two sides held against each other, and what makes that unfair. Pure. */
import { toolName } from '@expresslane/shared/benchmark'
import { compareArms, type Comparison } from '@expresslane/shared/compare'
import { fingerprintDifferences, type Difference } from '@expresslane/shared/fingerprint'
import { isRequestResponse, type Measurement } from '@expresslane/shared/measurement'
import { familyName, formatCount } from '@expresslane/shared/units'
import { testbedName } from '../components/format.ts'
import { armLook, type SideLooks } from '../theme.ts'
import { kernelWords } from './environment.ts'
import type { Side } from './sides.ts'

export interface SidesCompared {
  /** Null when a side finished no repeat, or the two have no metric in common. */
  readonly comparison: Comparison | null
  /** What differs besides BIG TCP, what was measured first. */
  readonly differences: readonly Difference[]
  /** Both were measured under the same setting, said in a sentence; null where not. */
  readonly sameArm: string | null
  readonly looks: SideLooks
}

const NOT_RECORDED = 'not recorded'

function firstOf({ taken }: Side): Measurement | null {
  return taken.find(({ warmup }) => !warmup) ?? null
}

function sizesOf(one: Measurement): string | null {
  return isRequestResponse(one) ? `${formatCount(one.requestBytes)} / ${formatCount(one.responseBytes)} bytes` : null
}

/** From before each measurement had a fingerprint: what the run itself told. */
function factsOf({ run: { testbed, facts } }: Side): Map<string, string> {
  return new Map([
    ['Testbed', testbedName(testbed, facts?.cluster?.context ?? null)],
    ['Kernel', facts === null ? NOT_RECORDED : kernelWords(facts).replace(/^kernel /, '')],
    ['CPU', facts === null ? NOT_RECORDED : `${facts.cpu.count} × ${facts.cpu.model}`],
  ])
}

function unlike(was: ReadonlyMap<string, string>, is: ReadonlyMap<string, string>): Difference[] {
  return [...was].flatMap(([label, value]) => {
    const now = is.get(label) ?? NOT_RECORDED
    return value === now ? [] : [{ label, was: value, is: now }]
  })
}

function measuredWords(side: Side, one: Measurement): Map<string, string> {
  return new Map([
    ['Tool', toolName[one.tool]],
    ['Address family', familyName[one.family]],
    ['Request / response', sizesOf(one) ?? 'a stream has none'],
    ['Seconds a run', `${side.seconds} s`],
  ])
}

function differencesOf(before: Side, after: Side): Difference[] {
  const [was, is] = [firstOf(before), firstOf(after)]
  if (was === null || is === null) return []
  const measured = unlike(measuredWords(before, was), measuredWords(after, is))
  const environment = fingerprintDifferences(was.fingerprint, is.fingerprint, was.family)
  const told = was.fingerprint === null || is.fingerprint === null ? unlike(factsOf(before), factsOf(after)) : []
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
  if (setting === null || setting !== settingOf(is) || was?.fingerprint?.limit !== is?.fingerprint?.limit) return null
  return `Both were measured ${setting ? 'with' : 'without'} BIG TCP: any difference has another cause.`
}

/** Each side in its arm's hue; two of one arm in two hues that belong to none. */
function looksOf(before: Side, after: Side): SideLooks {
  if (before.arm.id !== after.arm.id) {
    return { off: armLook(before.arm.id, 0), on: armLook(after.arm.id, 1) }
  }
  return { off: armLook('before', 0), on: armLook('after', 1) }
}

/** For sentences: `without BIG TCP`, `64K`; two of one name as the first and the second. */
function namesOf(before: Side, after: Side): { off: string; on: string } {
  if (before.arm.label === after.arm.label) return { off: 'the first run', on: 'the second run' }
  const inside = (label: string): string => label.replace(/^With/, 'with')
  return { off: inside(before.arm.label), on: inside(after.arm.label) }
}

function subjectOf(before: Side, after: Side): string | null {
  const [was, is] = [firstOf(before), firstOf(after)]
  if (was === null || is === null || was.tool !== is.tool || was.family !== is.family || sizesOf(was) !== sizesOf(is)) {
    return null
  }
  return isRequestResponse(was)
    ? `${formatCount(was.requestBytes)}-byte requests over ${familyName[was.family]}`
    : `one stream over ${familyName[was.family]} (${toolName[was.tool]})`
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
  return {
    comparison,
    differences: differencesOf(before, after),
    sameArm: sameArmOf(before, after),
    looks: looksOf(before, after),
  }
}

/** The difference of two arms' profiles: by context, by function and by group. Pure. */
import { i18n } from '../base/language.ts'
import type { ArmProfile, MadeProfile, WorkUnit } from './made.ts'
import { contextsOf } from './made.ts'
import { KEPT_SHARE, REST, ROOT, SAMPLED_SECONDS, TASK, type Context, type Side } from './profile.ts'

/** A context's values in both arms. */
export interface Pair {
  readonly before: Side
  readonly after: Side
}

export interface GroupDifference {
  readonly group: string
  /** Instructions for a unit of work; of samples, ns of CPU time. */
  readonly before: number
  readonly after: number
  /** Its part of the whole difference; below 0 if it goes the other way. Null without a clear difference. */
  readonly share: number | null
}

/** All contexts of a function: its own instructions, and its calls. */
export interface FunctionDifference extends Pair {
  readonly function: string
}

/** A context, and its part of the whole difference. */
export interface Branch {
  /** The functions that lead to it, from the first call to its own. */
  readonly path: readonly string[]
  readonly share: number
  readonly context: Context<Pair>
}

export interface ProfileDifference {
  readonly unit: WorkUnit
  /** Releases; null if they are unknown or the same. */
  readonly kernels: readonly [before: string, after: string] | null
  readonly root: Context<Pair>
  readonly groups: readonly GroupDifference[]
  readonly functions: readonly FunctionDifference[]
  /** Null without a clear difference, and for samples: they have no calls, and too few are of one context. */
  readonly branch: Branch | null
  readonly lost: number
  readonly unmatched: number
  /** The samples of each side, whose values are ns of CPU time; null where instructions were counted. */
  readonly samples: readonly [before: number, after: number] | null
  /** Two profiles of one arm can differ by this part. */
  readonly chance: number
}

const nothing: Side = { instructions: 0, calls: 0 }

/** Instructions that the change adds. */
export function added({ before, after }: Pair): number {
  return after.instructions - before.instructions
}

function plus(one: Side, other: Side): Side {
  return { instructions: one.instructions + other.instructions, calls: one.calls + other.calls }
}

/** A context of a size near the limit can be in one arm, and in the rest of the other arm: it then counts to both rests. */
const NEAR_THE_LIMIT = 2 * KEPT_SHARE

type Inside = ReadonlyMap<string, Context<Side>>

/** Contexts below one context, by function, without those that count to the other arm's rest. */
function inside(own: Context<Side> | null, other: Context<Side> | null, least: number): Inside {
  const there = new Set(other?.children.map((child) => child.function))
  const found = new Map<string, Context<Side>>()
  for (const child of own?.children ?? []) {
    const isRest = !there.has(child.function) && there.has(REST) && Math.abs(child.whole.instructions) < least
    const name = isRest ? REST : child.function
    const sum = plus(found.get(name)?.whole ?? nothing, child.whole)
    found.set(name, name === REST ? { function: REST, own: sum, whole: sum, children: [] } : child)
  }
  return found
}

/** Both arms' contexts as one tree; where an arm lacks a context it has 0 there. The largest differences come first. */
export function compareContexts(
  before: Context<Side> | null,
  after: Context<Side> | null,
  least = NEAR_THE_LIMIT * Math.max(before?.whole.instructions ?? 0, after?.whole.instructions ?? 0),
): Context<Pair> {
  const [old, now] = [inside(before, after, least), inside(after, before, least)]
  const children = [...new Set([...old.keys(), ...now.keys()])].map((name) =>
    compareContexts(old.get(name) ?? null, now.get(name) ?? null, least),
  )
  return {
    function: (after ?? before)?.function ?? '',
    own: { before: before?.own ?? nothing, after: after?.own ?? nothing },
    whole: { before: before?.whole ?? nothing, after: after?.whole ?? nothing },
    children: children.toSorted((a, b) => Math.abs(added(b.whole)) - Math.abs(added(a.whole))),
  }
}

type Groups = MadeProfile['groups']

/** The groups, those with the largest difference first. @param isWhole false if the whole difference is not clear */
export function compareGroups(before: Groups, after: Groups, isWhole = true): GroupDifference[] {
  const changes = [...new Set([...Object.keys(before), ...Object.keys(after)])].map((group) => {
    const [from, to] = [before[group] ?? 0, after[group] ?? 0]
    return { group, before: from, after: to, change: to - from }
  })
  const all = changes.reduce((sum, { change }) => sum + change, 0)
  return changes
    .toSorted((a, b) => Math.abs(b.change) - Math.abs(a.change))
    .map(({ change, ...one }) => ({ ...one, share: isWhole && all !== 0 ? change / all : null }))
}

/** The functions, those with the largest difference first; {@link REST}, the small contexts of all, is among them. */
export function compareFunctions(root: Context<Pair>): FunctionDifference[] {
  const sums = new Map<string, FunctionDifference>()
  const add = ({ function: name, own, children }: Context<Pair>): void => {
    const known = sums.get(name) ?? { before: nothing, after: nothing }
    sums.set(name, { function: name, before: plus(known.before, own.before), after: plus(known.after, own.after) })
    for (const child of children) add(child)
  }
  add(root)
  return [...sums.values()].toSorted((a, b) => Math.abs(added(b)) - Math.abs(added(a)))
}

/** Its caller calls a function more often, or less often, if the calls for each of its own change by this part. */
const OTHER_CALLS = 0.5
/** Fewer calls for a unit of work are rare events, whatever the rest of their stacks did meanwhile. */
const LEAST_CALLS = 0.1
/** A smaller part of the difference explains too little. */
const LEAST_SHARE = 0.05

/** True if, of its own calls, the caller makes this call in another part with the change than without. */
function isCalledOtherwise(caller: Context<Pair>, { function: name, own: { before, after } }: Context<Pair>): boolean {
  // An interrupt comes where it comes: nobody calls it.
  if (name === TASK || name === REST || name.startsWith('asm_')) return false
  if (Math.abs(after.calls - before.calls) < LEAST_CALLS) return false
  const isFirst = caller.function === ROOT || caller.function === TASK
  const [ofOld, ofNow] = isFirst ? [1, 1] : [caller.own.before.calls, caller.own.after.calls]
  if (ofOld <= 0 || ofNow <= 0) return false
  const [old, now] = [before.calls / ofOld, after.calls / ofNow]
  return Math.abs(now - old) >= OTHER_CALLS * Math.max(old, now)
}

interface Candidate {
  readonly branch: Branch
  /** The part of the difference that it explains. */
  readonly explains: number
}

/** The branches whose calls change, none below another; and, with its own difference, each context that is in none of them. */
function candidates(root: Context<Pair>): { readonly called: Candidate[]; readonly own: Candidate[] } {
  const all = added(root.whole)
  const found: { readonly called: Candidate[]; readonly own: Candidate[] } = { called: [], own: [] }
  const look = (caller: Context<Pair>, above: readonly string[]): void => {
    for (const context of caller.children) {
      const path = [...above, context.function]
      const [part, itself] = [added(context.whole) / all, added(context.own) / all]
      if (isCalledOtherwise(caller, context)) {
        // It can be in another place of its caller with the change: it explains no more than its caller's difference.
        const explains = Math.min(part, added(caller.whole) / all)
        found.called.push({ branch: { path, share: part, context }, explains })
      } else {
        if (context.function !== REST) found.own.push({ branch: { path, share: itself, context }, explains: itself })
        look(context, path)
      }
    }
  }
  look(root, [])
  return found
}

/**
 * The branch that explains most of the difference: a function that its caller calls more often, or less often, than without the
 * change. Where the calls are the same, it is the context with the largest difference of its own.
 */
export function largestBranch(root: Context<Pair>): Branch | null {
  if (added(root.whole) === 0) return null
  const { called, own } = candidates(root)
  const [first] = [called, own].flatMap(
    (some) =>
      some.filter(({ explains }) => explains >= LEAST_SHARE).toSorted((a, b) => b.explains - a.explains)[0] ?? [],
  )
  return first?.branch ?? null
}

/** Two counted profiles of one arm differ by up to this part: the scheduler, and the kernel's memory, have their own course. */
const SAME_ARM = 0.006
/** A normal distribution has 95 % of its values within so many standard deviations. */
const SURE = 1.96

/**
 * Two sampled profiles of one arm differ by more than their numbers of samples say: the machine has its own course, too. Of
 * 12 profiles of BIG TCP's arms at a load of 6, 28 of 30 pairs of an arm differ by less.
 */
const SAME_ARM_SAMPLED = 0.1

/**
 * The part by which two profiles of one arm can differ. Numbers of samples vary as in a Poisson process, and the values are the
 * difference of two runs: both runs' samples vary.
 */
function chanceOf(samples: ProfileDifference['samples']): number {
  if (samples === null) return SAME_ARM
  const [short, long] = SAMPLED_SECONDS
  const kept = ((long - short) / (long + short)) ** 2
  return Math.max(
    SAME_ARM_SAMPLED,
    SURE * Math.sqrt(samples.reduce((sum, one) => sum + 1 / Math.max(1, kept * one), 0)),
  )
}

/** True if two profiles of one arm differ by less than these two arms. */
export function isClear(difference: Pick<ProfileDifference, 'root' | 'chance'>): boolean {
  return Math.abs(added(difference.root.whole)) > noiseOf(difference)
}

function samplesOf(before: MadeProfile, after: MadeProfile): ProfileDifference['samples'] {
  return before.samples === null || after.samples === null ? null : [before.samples, after.samples]
}

/** The difference that can be chance, in the unit of the values. */
export function noiseOf({ root: { whole }, chance }: Pick<ProfileDifference, 'root' | 'chance'>): number {
  return chance * whole.before.instructions
}

/** @throws Error for profiles of different units of work: {@link profilePairs} has no such pair */
export function profileDifference(before: MadeProfile, after: MadeProfile): ProfileDifference {
  if (before.unit !== after.unit) throw new Error(`a ${before.unit} is not a ${after.unit}`)
  const root = compareContexts(contextsOf(before), contextsOf(after))
  const [old, now] = [before.kernel, after.kernel]
  const samples = samplesOf(before, after)
  const chance = chanceOf(samples)
  const clear = isClear({ root, chance })
  return {
    unit: after.unit,
    kernels: old === null || now === null || old === now ? null : [old, now],
    root,
    groups: compareGroups(before.groups, after.groups, clear),
    functions: compareFunctions(root),
    branch: samples === null && clear ? largestBranch(root) : null,
    lost: before.lost + after.lost,
    unmatched: before.unmatched + after.unmatched,
    samples,
    chance,
  }
}

/** True for a clear difference, without the work of comparing contexts. */
export function differs({ profiles }: ProfilePair): boolean {
  if (profiles === null) return false
  const { before, after } = profiles
  const [from, to] = [before, after].map(({ contexts }) => contexts.reduce((sum, [, , own = 0]) => sum + own, 0))
  return Math.abs((to ?? 0) - (from ?? 0)) > chanceOf(samplesOf(before, after)) * (from ?? 0)
}

/** An arm's profile beside the first arm's, in the same case. */
export interface ProfilePair {
  readonly caseId: string | null
  readonly arm: string
  /** Null if they can't be compared. */
  readonly profiles: { readonly before: MadeProfile; readonly after: MadeProfile } | null
  /** Why they can't be compared: for each arm without a profile, or for both (null). */
  readonly reasons: readonly { readonly arm: string | null; readonly reason: string }[]
}

function lacking(arm: string, found: ArmProfile | undefined): ProfilePair['reasons'] {
  return found?.profile ? [] : [{ arm, reason: found?.reason ?? i18n.t('It was not profiled.') }]
}

function whyNotCompared(before: MadeProfile, after: MadeProfile): string | null {
  if (before.unit !== after.unit) {
    return i18n.t(
      'One profile is of {before, select, transaction {a transaction} connection {a connection} packet {a packet} other {a megabyte}}, and the other of {after, select, transaction {a transaction} connection {a connection} packet {a packet} other {a megabyte}}: they can’t be compared.',
      { before: before.unit, after: after.unit },
    )
  }
  if ((before.samples === null) === (after.samples === null)) return null
  return i18n.t('One profile counts instructions, and the other samples time: they can’t be compared.')
}

/**
 * The first arm's profiles, each beside every other arm's of the same case.
 *
 * @param profiles of a run, or of the runs that each measured an arm; of several of an arm and a case, the last
 */
export function profilePairs(profiles: readonly ArmProfile[], first: string): ProfilePair[] {
  const cases = Map.groupBy(profiles, ({ caseId }) => caseId)
  return [...cases].flatMap(([caseId, of]) => {
    const latest = new Map(of.map((one) => [one.arm, one]))
    const base = latest.get(first)
    const others = [...latest.keys()].filter((arm) => arm !== first)
    return others.map((arm): ProfilePair => {
      const [before, after] = [base?.profile, latest.get(arm)?.profile]
      if (!before || !after) {
        const reasons = [...lacking(first, base), ...lacking(arm, latest.get(arm))]
        return { caseId, arm, profiles: null, reasons }
      }
      const reason = whyNotCompared(before, after)
      if (reason === null) return { caseId, arm, profiles: { before, after }, reasons: [] }
      return { caseId, arm, profiles: null, reasons: [{ arm: null, reason }] }
    })
  })
}

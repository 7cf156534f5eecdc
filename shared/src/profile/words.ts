/** Profiles in words. Pure. */
import { formatCount, formatPercent } from '../base/units.ts'
import { added, isClear, type Branch, type Pair, type ProfileDifference } from './difference.ts'
import type { WorkUnit } from './made.ts'
import { PROGRAM, REST, ROOT, TASK, UNKNOWN, type Context } from './profile.ts'

const fixedNames: Readonly<Record<string, string>> = {
  [ROOT]: 'everything',
  [TASK]: 'tasks',
  [PROGRAM]: 'programs',
  [UNKNOWN]: 'unknown addresses',
  [REST]: 'small functions',
}

/** The name of a function of the kernel; for all else, words. */
export function functionName(name: string): string {
  return fixedNames[name] ?? name
}

/** `12,300`, `−91`: rounded to whole instructions. */
export function formatInstructions(value: number): string {
  const count = formatCount(Math.abs(Math.round(value)))
  return value < 0 && count !== '0' ? `−${count}` : count
}

/** `+1,200`, `−91`, `±0`: instructions that the change adds. */
export function formatAdded(value: number): string {
  const count = formatInstructions(value)
  return count === '0' ? '±0' : value > 0 ? `+${count}` : count
}

/** `2.0`: calls for a unit of work. */
export function formatCalls(calls: number): string {
  const text = Math.abs(calls).toFixed(1)
  return calls < 0 && text !== '0.0' ? `−${text}` : text
}

/** A share of the difference: `41 %`, `−3 %`. */
export function formatShare(share: number): string {
  const percent = Math.round(Math.abs(share) * 100)
  return `${share < 0 && percent > 0 ? '−' : ''}${formatCount(percent)} %`
}

/** The quantity of a profile's values. */
export function quantityOf({ samples }: Pick<ProfileDifference, 'samples'>): string {
  return samples === null ? 'instructions' : 'ns of CPU time'
}

/** `ip_output: 38,008 → 53,027 instructions (+15,019), 2.0 → 2.0 calls`. Samples have no calls. */
export function contextWords({ function: name, own, whole }: Context<Pair>, quantity: string): string {
  const [from, to] = [whole.before.instructions, whole.after.instructions].map(formatInstructions)
  const counts = `${functionName(name)}: ${from} → ${to} ${quantity} (${formatAdded(added(whole))})`
  const [old, now] = [own.before.calls, own.after.calls].map(formatCalls)
  return name in fixedNames || own.before.calls + own.after.calls === 0 ? counts : `${counts}, ${old} → ${now} calls`
}

/** So many groups or functions are named. */
const NAMED = 3

/** Parts of the difference: as shares where all are parts of it, else in instructions, because shares would be beyond 100 %. */
function partsInWords(parts: readonly { readonly name: string; readonly change: number }[], all: number): string {
  const against = parts.filter(({ change }) => change * all < 0).reduce((sum, { change }) => sum + Math.abs(change), 0)
  if (against > Math.abs(all) / 2) {
    const named = parts.slice(0, NAMED).map(({ name, change }) => `${name} ${formatAdded(change)}`)
    return `The largest changes: ${named.join('; ')}.`
  }
  const named = parts
    .filter(({ change }) => change * all > 0)
    .slice(0, NAMED)
    .map(({ name, change }) => `${formatShare(change / all)} ${name}`)
  return `Of these: ${named.join('; ')}.`
}

/**
 * The difference in words: `A transaction takes 63,078 instructions fewer (10.4 %). Of these: 25 % IP, routing and neighbours;
 * 17 % scheduler; 17 % TCP.` Of two kernels, it names functions: `A transaction takes 5.0 % more instructions on Linux
 * 7.3.4 than on 6.18.5. Of these: ...`
 */
export function differenceInWords(difference: ProfileDifference): string {
  const { unit, kernels, root, groups, functions } = difference
  const quantity = quantityOf(difference)
  const all = added(root.whole)
  const percent = formatPercent((all / root.whole.before.instructions) * 100)
  const way = all > 0 ? 'more' : difference.samples === null ? 'fewer' : 'less'
  if (!isClear(difference)) {
    return `A ${unit} takes about ${difference.samples === null ? 'as many instructions' : 'as much CPU time'}: two profiles of one arm can differ as much (${percent}).`
  }
  if (kernels !== null) {
    const [old, now] = kernels
    const parts = functions.flatMap((one) => (one.function === REST ? [] : { name: one.function, change: added(one) }))
    return `A ${unit} takes ${percent} ${way} ${quantity} on Linux ${now} than on ${old}. ${partsInWords(parts, all)}`
  }
  // A group with few samples varies more for its size than the whole.
  const { instructions } = root.whole.before
  const parts = groups.flatMap(({ group, before, after }) => {
    const varies =
      difference.samples === null ? 0 : difference.chance * Math.sqrt(Math.max(before, after) * instructions)
    return Math.abs(after - before) >= varies ? { name: group, change: after - before } : []
  })
  return `A ${unit} takes ${formatInstructions(Math.abs(all))} ${quantity} ${way} (${percent}). ${partsInWords(parts, all)}`
}

/** `41 % of the difference is tcp_recvmsg_locked → __tcp_transmit_skb: 2.0 → 0.0 calls a transaction.` */
export function branchInWords({ path, share, context: { own, whole } }: Branch, unit: WorkUnit): string {
  const named = path.slice(-2).map(functionName).join(' → ')
  const [old, now] = [own.before.calls, own.after.calls].map(formatCalls)
  const [from, to] = [own.before.instructions, own.after.instructions].map(formatInstructions)
  const change =
    old === now
      ? `${from} → ${to} instructions of its own a ${unit}, in ${now} calls`
      : `${old} → ${now} calls a ${unit}`
  // Other parts can go the other way, and then one part is more than the whole.
  const part =
    share > 1 ? `${formatAdded(added(whole))} instructions are` : `${formatShare(share)} of the difference is`
  return `${part} ${named}: ${change}.`
}

/** `no context`, `1 context`, `560 contexts` */
export function formatCounted(count: number, name: string): string {
  return `${count === 0 ? 'no' : formatCount(count)} ${name}${count > 1 ? 's' : ''}`
}

/** True if the search finds the function; fewer than two letters find none. */
export function isSearched(name: string, search: string): boolean {
  const words = search.trim().toLowerCase()
  return words.length > 1 && functionName(name).toLowerCase().includes(words)
}

/** How far a profile can be trusted. */
export function lossesInWords({
  lost,
  unmatched,
  samples,
  chance,
}: Pick<ProfileDifference, 'lost' | 'unmatched' | 'samples' | 'chance'>): string {
  if (samples === null) {
    return `The profiler lost ${formatCounted(lost, 'context')}, and found ${formatCounted(unmatched, 'return')} without a call.`
  }
  const [before, after] = samples.map(formatCount)
  return [
    `From ${before} and ${after} samples, 999 a second of each CPU; ${formatCounted(lost, 'sample')} lost.`,
    `Differences below ${formatPercent(chance * 100)} of the whole can be chance.`,
    'While interrupts are off nothing is sampled: their time counts where they come on again.',
  ].join(' ')
}

/** Why two profiles can't be compared. @param name of the arm without a profile; null for both arms */
export function reasonInWords(name: string | null, reason: string): string {
  return `${name === null ? 'No comparison' : `No profile of “${name}”`}: ${reason}`
}

/** Profiles in words. Pure. */
import { i18n } from '../base/language.ts'
import { formatCount, formatPercent, formatFixed } from '../base/units.ts'
import { added, isClear, type Branch, type Pair, type ProfileDifference } from './difference.ts'
import type { WorkUnit } from './made.ts'
import { PROGRAM, REST, ROOT, TASK, UNKNOWN, type Context } from './profile.ts'

const fixedNames: Readonly<Record<string, string>> = {
  [ROOT]: /*i18n*/ 'everything',
  [TASK]: /*i18n*/ 'tasks',
  [PROGRAM]: /*i18n*/ 'programs',
  [UNKNOWN]: /*i18n*/ 'unknown addresses',
  [REST]: /*i18n*/ 'small functions',
}

/** The name of a function of the kernel; for all else, words. */
export function functionName(name: string): string {
  const fixed = fixedNames[name]
  return fixed === undefined ? name : i18n.t(fixed)
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
  const text = formatFixed(Math.abs(calls), 1)
  return calls < 0 && text !== formatFixed(0, 1) ? `−${text}` : text
}

/** A share of the difference: `41 %`, `−3 %`. */
export function formatShare(share: number): string {
  const percent = Math.round(Math.abs(share) * 100)
  return `${share < 0 && percent > 0 ? '−' : ''}${formatCount(percent)} %`
}

/** The quantity of a profile's values. */
export function quantityOf({ samples }: Pick<ProfileDifference, 'samples'>): string {
  return samples === null ? i18n.t('instructions') : i18n.t('ns of CPU time')
}

/** `ip_output: 38,008 → 53,027 instructions (+15,019), 2.0 → 2.0 calls`. Samples have no calls. */
export function contextWords({ function: name, own, whole }: Context<Pair>, quantity: string): string {
  const [from, to] = [whole.before.instructions, whole.after.instructions].map(formatInstructions)
  const counts = `${functionName(name)}: ${from} → ${to} ${quantity} (${formatAdded(added(whole))})`
  const [old, now] = [own.before.calls, own.after.calls].map(formatCalls)
  return name in fixedNames || own.before.calls + own.after.calls === 0
    ? counts
    : i18n.t('{counts}, {old} → {now} calls', { counts, old, now })
}

/** So many groups or functions are named. */
const NAMED = 3

/** Parts of the difference: as shares where all are parts of it, else in instructions, because shares would be beyond 100 %. */
function partsInWords(parts: readonly { readonly name: string; readonly change: number }[], all: number): string {
  const against = parts.filter(({ change }) => change * all < 0).reduce((sum, { change }) => sum + Math.abs(change), 0)
  if (against > Math.abs(all) / 2) {
    const named = parts.slice(0, NAMED).map(({ name, change }) => `${name} ${formatAdded(change)}`)
    return i18n.t('The largest changes: {changes}.', { changes: named.join('; ') })
  }
  const named = parts
    .filter(({ change }) => change * all > 0)
    .slice(0, NAMED)
    .map(({ name, change }) => `${formatShare(change / all)} ${name}`)
  return i18n.t('Of these: {parts}.', { parts: named.join('; ') })
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
    return difference.samples === null
      ? i18n.t(
          '{unit, select, transaction {A transaction} connection {A connection} packet {A packet} other {A megabyte}} takes about as many instructions: two profiles of one arm can differ as much ({percent}).',
          { unit, percent },
        )
      : i18n.t(
          '{unit, select, transaction {A transaction} connection {A connection} packet {A packet} other {A megabyte}} takes about as much CPU time: two profiles of one arm can differ as much ({percent}).',
          { unit, percent },
        )
  }
  if (kernels !== null) {
    const [old, now] = kernels
    const parts = functions.flatMap((one) => (one.function === REST ? [] : { name: one.function, change: added(one) }))
    return i18n.t(
      '{unit, select, transaction {A transaction} connection {A connection} packet {A packet} other {A megabyte}} takes {percent} {way, select, more {more {quantity}} fewer {fewer {quantity}} other {less {quantity}}} on Linux {now} than on {old}. {parts}',
      { unit, percent, way, quantity, now, old, parts: partsInWords(parts, all) },
    )
  }
  // A group with few samples varies more for its size than the whole.
  const { instructions } = root.whole.before
  const parts = groups.flatMap(({ group, before, after }) => {
    const varies =
      difference.samples === null ? 0 : difference.chance * Math.sqrt(Math.max(before, after) * instructions)
    return Math.abs(after - before) >= varies ? { name: i18n.t(group), change: after - before } : []
  })
  return i18n.t(
    '{unit, select, transaction {A transaction} connection {A connection} packet {A packet} other {A megabyte}} takes {count} {way, select, more {{quantity} more} fewer {{quantity} fewer} other {{quantity} less}} ({percent}). {parts}',
    { unit, count: formatInstructions(Math.abs(all)), quantity, way, percent, parts: partsInWords(parts, all) },
  )
}

/** `41 % of the difference is tcp_recvmsg_locked → __tcp_transmit_skb: 2.0 → 0.0 calls a transaction.` */
export function branchInWords({ path, share, context: { own, whole } }: Branch, unit: WorkUnit): string {
  const named = path.slice(-2).map(functionName).join(' → ')
  const [old, now] = [own.before.calls, own.after.calls].map(formatCalls)
  const [from, to] = [own.before.instructions, own.after.instructions].map(formatInstructions)
  const change =
    old === now
      ? i18n.t(
          '{from} → {to} instructions of its own {unit, select, transaction {a transaction} connection {a connection} packet {a packet} other {a megabyte}}, in {now} calls',
          { from, to, unit, now },
        )
      : i18n.t(
          '{old} → {now} calls {unit, select, transaction {a transaction} connection {a connection} packet {a packet} other {a megabyte}}',
          { old, now, unit },
        )
  // Other parts can go the other way, and then one part is more than the whole.
  return share > 1
    ? i18n.t('{count} instructions are {function}: {change}.', {
        count: formatAdded(added(whole)),
        function: named,
        change,
      })
    : i18n.t('{share} of the difference is {function}: {change}.', {
        share: formatShare(share),
        function: named,
        change,
      })
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
    return i18n.t(
      'The profiler lost {lost, plural, =0 {no context} one {# context} other {# contexts}}, and found {unmatched, plural, =0 {no return} one {# return} other {# returns}} without a call.',
      { lost, unmatched },
    )
  }
  const [before, after] = samples.map(formatCount)
  return [
    i18n.t(
      'From {before} and {after} samples, 999 a second of each CPU; {lost, plural, =0 {no sample} one {# sample} other {# samples}} lost.',
      { before, after, lost },
    ),
    i18n.t('Differences below {percent} of the whole can be chance.', { percent: formatPercent(chance * 100) }),
    i18n.t('While interrupts are off nothing is sampled: their time counts where they come on again.'),
  ].join(' ')
}

/** Why two profiles can't be compared. @param name of the arm without a profile; null for both arms */
export function reasonInWords(name: string | null, reason: string): string {
  return name === null
    ? i18n.t('No comparison: {reason}', { reason })
    : i18n.t('No profile of “{name}”: {reason}', { name, reason })
}

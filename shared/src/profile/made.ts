/** The profile of an arm, as a run's events have it: a tree in a table, and its groups. Pure. */
import { z } from 'zod'
import { armId } from '../measure/measurement.ts'
import { byGroup } from './groups.ts'
import { pruned, UNKNOWN, type Context, type Losses, type Side } from './profile.ts'

const MOST_CONTEXTS = 20_000

/** The work that an arm's instructions are divided by. */
export const workUnit = z.enum(['transaction', 'connection', 'packet', 'megabyte'])
export type WorkUnit = z.infer<typeof workUnit>

export const madeProfile = z.strictObject({
  /** The work that the instructions are of: the longer run's beyond the shorter run's. */
  unit: workUnit,
  amount: z.number().positive(),
  functions: z.array(z.string().max(200)).max(MOST_CONTEXTS),
  /**
   * By row: the index of its function, the row of its parent, its own instructions and its calls, for each unit of work. The
   * first row is the root, which is its own parent; a parent comes before its children. No tuple: OpenAPI has none.
   */
  contexts: z.array(z.array(z.number()).length(4)).min(1).max(MOST_CONTEXTS),
  /** The instructions (of samples, ns of CPU time) of each group for each unit of work, of all contexts before small contexts were summed up. */
  groups: z.record(z.string().max(100), z.number()),
  /** Contexts and stacks that had no place in the profiler's memory. */
  lost: z.number().int().nonnegative(),
  /** Returns without a call, in the command that had the most: of functions that were called before the profile began. */
  unmatched: z.number().int().nonnegative(),
  /** How many samples the values are from, which are then ns of CPU time; null if every instruction was counted. */
  samples: z.number().int().nonnegative().nullable().default(null),
  /** The release of the kernel. */
  kernel: z.string().nullable(),
})
export type MadeProfile = z.infer<typeof madeProfile>

/** A profile after the repeats of an arm; or why there is none. */
export const armProfile = z.strictObject({
  arm: armId,
  caseId: z.string().nullable(),
  profile: madeProfile.nullable(),
  /** Why there is no profile; null with a profile. */
  reason: z.string().nullable(),
})
export type ArmProfile = z.infer<typeof armProfile>

/** Four digits, and above 1,000 one decimal: enough, and short. */
function short(value: number): number {
  return Math.abs(value) >= 1_000 ? Math.round(value * 10) / 10 : Number(value.toPrecision(4))
}

/** @param root the contexts of an arm, for each unit of work */
export function profileMade(
  root: Context<Side>,
  about: Losses & Pick<MadeProfile, 'unit' | 'amount' | 'samples' | 'kernel'>,
): MadeProfile {
  const names = new Map<string, number>()
  const contexts: MadeProfile['contexts'] = []
  const add = ({ function: name, own, children }: Context<Side>, parent: number): void => {
    const named = names.get(name) ?? names.size
    names.set(name, named)
    const row = contexts.push([named, parent, short(own.instructions), Math.round(own.calls * 1000) / 1000]) - 1
    for (const child of children) add(child, row)
  }
  add(pruned(root), 0)
  const groups = Object.fromEntries([...byGroup(root)].map(([group, sum]) => [group, short(sum)]))
  return { ...about, functions: [...names.keys()], contexts, groups }
}

/** The contexts of a profile as a tree. */
export function contextsOf({ functions, contexts }: MadeProfile): Context<Side> {
  const children = Map.groupBy(contexts.keys(), (row) => (row === 0 ? -1 : (contexts[row]?.[1] ?? 0)))
  const at = (row: number): Context<Side> => {
    const [name = 0, , instructions = 0, calls = 0] = contexts[row] ?? []
    // A parent comes before its children: rows of a hostile file that do not are left out.
    const inside = (children.get(row) ?? []).filter((child) => child > row).map(at)
    const whole = inside.reduce(
      (sum, child) => ({
        instructions: sum.instructions + child.whole.instructions,
        calls: sum.calls + child.whole.calls,
      }),
      { instructions, calls },
    )
    return { function: functions[name] ?? UNKNOWN, own: { instructions, calls }, whole, children: inside }
  }
  return at(0)
}

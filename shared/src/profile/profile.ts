/** A profile: instructions and calls by calling context; of samples, ns of CPU time in their place, and no calls. Pure. */

/** The kinds of function that are not the kernel's: the root of all contexts, programs, an unknown address, a task. */
export const ROOT = 'all'
export const PROGRAM = '[program]'
export const UNKNOWN = '[unknown]'
export const TASK = '[task]'
/** Many small contexts together. */
export const REST = '[rest]'

/**
 * Contexts of one profile, by index. A parent comes before its children, and the first context is the root, which is its own
 * parent.
 */
export interface Profile {
  readonly functions: readonly string[]
  readonly parents: readonly number[]
  /** Executed in the context itself, without the functions that it calls; of samples, ns of CPU time. */
  readonly instructions: readonly number[]
  readonly calls: readonly number[]
}

/** Seconds of the two runs of a sampled profile. */
export const SAMPLED_SECONDS = [1, 4] as const

/** The parts of a profile that its tree can't hold: how far it can be trusted. */
export interface Losses {
  /** Contexts and stacks that had no place in the profiler's memory. */
  readonly lost: number
  /** Returns without a call, in the command that had the most. */
  readonly unmatched: number
}

/** A context of both profiles, with its instructions and calls in each. */
export interface Side {
  readonly instructions: number
  readonly calls: number
}

/** A context and all that it calls. */
export interface Context<Value> {
  readonly function: string
  /** Its own. */
  readonly own: Value
  /** With all that it calls. */
  readonly whole: Value
  readonly children: readonly Context<Value>[]
}

interface Building {
  readonly function: string
  instructions: number
  calls: number
  readonly children: Map<string, Building>
}

function emptyNode(name: string): Building {
  return { function: name, instructions: 0, calls: 0, children: new Map() }
}

function childOf(parent: Building, name: string): Building {
  const known = parent.children.get(name)
  if (known !== undefined) return known
  const made = emptyNode(name)
  parent.children.set(name, made)
  return made
}

/** Adds a profile's contexts to a tree, each times `weight`. Contexts of one path are one. */
function addTo(root: Building, { functions, parents, instructions, calls }: Profile, weight: number): void {
  const nodes: Building[] = [root]
  for (let index = 1; index < functions.length; index += 1) {
    const parent = nodes[parents[index] ?? 0] ?? root
    const node = childOf(parent, functions[index] ?? UNKNOWN)
    node.instructions += (instructions[index] ?? 0) * weight
    node.calls += (calls[index] ?? 0) * weight
    nodes.push(node)
  }
}

function contextOf({ function: name, instructions, calls, children }: Building): Context<Side> {
  const inside = [...children.values()].map(contextOf)
  const whole = inside.reduce(
    (sum, { whole: one }) => ({ instructions: sum.instructions + one.instructions, calls: sum.calls + one.calls }),
    { instructions, calls },
  )
  return {
    function: name,
    own: { instructions, calls },
    whole,
    children: inside.toSorted((a, b) => b.whole.instructions - a.whole.instructions),
  }
}

/**
 * The contexts for each transaction, from two profiles of the same arm. The start and the end of the programs cancel out: the
 * longer profile has `transactions` more transactions than the shorter profile, and is otherwise the same.
 */
export function perTransaction(shorter: Profile, longer: Profile, transactions: number): Context<Side> {
  const root = emptyNode(ROOT)
  addTo(root, longer, 1 / transactions)
  addTo(root, shorter, -1 / transactions)
  return contextOf(root)
}

/** Contexts below this share of the whole are summed up in {@link REST}: they are thousands. */
export const KEPT_SHARE = 0.000_2

/** The contexts that are large enough, and the sum of all smaller contexts below each. No instruction is lost. */
export function pruned(root: Context<Side>): Context<Side> {
  const least = root.whole.instructions * KEPT_SHARE
  const inside = ({ children, ...context }: Context<Side>): Context<Side> => {
    const kept = children.filter(({ whole }) => Math.abs(whole.instructions) >= least)
    const small = children.filter((child) => !kept.includes(child)).map(({ whole }) => whole)
    const sum = small.reduce((all, { instructions }) => all + instructions, 0)
    const rest = { instructions: sum, calls: 0 }
    const more = sum === 0 ? [] : [{ function: REST, own: rest, whole: rest, children: [] }]
    return { ...context, children: [...kept.map(inside), ...more] }
  }
  return inside(root)
}

/** Each line is a context, from the root to the function, and its own instructions: Brendan Gregg's collapsed stacks. */
export function* collapsedStacks(context: Context<Side>, above: readonly string[] = []): Generator<string> {
  const path = context.function === ROOT ? above : [...above, context.function]
  const own = Math.round(context.own.instructions)
  if (own > 0 && path.length > 0) yield `${path.join(';')} ${own}`
  for (const child of context.children) yield* collapsedStacks(child, path)
}

/**
 * Registries: lists of parts (features, tools, metrics) that a process knows. A registry begins with
 * Expresslane's own parts. A test registers more parts before it reads the registry.
 */

export interface Registry<Part> {
  /** In the order of registration. */
  all(): readonly [Part, ...Part[]]
  /** @returns takes the part out again */
  register(part: Part): () => void
}

/** Counts the changes of all registries. A derived value is made again when this number has grown. */
let changes = 0

/** @param ours the parts of Expresslane itself */
export function createRegistry<Part>(ours: readonly [Part, ...Part[]]): Registry<Part> {
  let parts = ours
  return {
    all: () => parts,
    register(part) {
      const [first, ...others] = parts
      parts = [first, ...others, part]
      changes += 1
      return () => {
        const [ourFirst, ...rest] = parts
        parts = [ourFirst, ...rest.filter((one) => one !== part)]
        changes += 1
      }
    },
  }
}

/** A value made of registries, such as an index: made when it is first asked for, and again after a registration. */
export function derived<T>(make: () => T): () => T {
  let made: { readonly value: T; readonly at: number } | null = null
  return () => {
    if (made?.at !== changes) made = { value: make(), at: changes }
    return made.value
  }
}

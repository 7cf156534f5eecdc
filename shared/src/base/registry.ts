/**
 * Registries: lists of parts (features, tools, metrics) that a process knows. They are values with our own parts in them; whoever
 * composes a process, or a test, registers others before it asks for any.
 */

export interface Registry<Part> {
  /** In the order of registration. */
  all(): readonly [Part, ...Part[]]
  /** @returns takes the part out again */
  register(part: Part): () => void
}

/** How often any registry has changed, so that whatever is made of several of them is made anew. */
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

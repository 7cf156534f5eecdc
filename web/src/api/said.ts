/** What nodes and pods are told to do while everybody waits for them, the latest word of each. Pure. */

export interface Said {
  readonly name: string
  readonly words: string
}

/**
 * A run's progress tells of one thing after the other: `kind-worker: ready, says on`. Each keeps its line, in
 * the order of their first words, so that nothing jumps. A message about none of them begins anew.
 */
export function heard(lines: readonly Said[], message: string): readonly Said[] {
  const [, name, words] = /^(\S+): (.+)$/s.exec(message) ?? []
  if (name === undefined || words === undefined) return []
  const line = { name, words }
  if (!lines.some((one) => one.name === name)) return [...lines, line]
  return lines.map((one) => (one.name === name ? line : one))
}

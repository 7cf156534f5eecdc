/** Commands of a testbed of network namespaces, as a person would type them. */

/** @param namespace its name */
export function inNamespace(namespace: string, argv: readonly string[]): string[] {
  return ['ip', 'netns', 'exec', namespace, ...argv]
}

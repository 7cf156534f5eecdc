/** Files in /proc/net that a kernel has only once a module of it is loaded, all of them with one command. */

/** It prints those that are there, and fails for none that is missing. Read it with {@link parseProcNet}. */
export function procNetArgv(names: readonly string[]): string[] {
  const anyOf = names.flatMap((name, index) => [...(index === 0 ? [] : ['-o']), '-name', name])
  // The slash at the end: /proc/net is a link to the network of the process that looks.
  return ['find', '/proc/net/', '-maxdepth', '1', '(', ...anyOf, ')', '-exec', 'tail', '-v', '-n', '+1', '{}', '+']
}

/** The texts by the files' names, without the folder. */
export function parseProcNet(text: string): ReadonlyMap<string, string> {
  const [, ...parts] = text.split(/^==> \/proc\/net\/(\S+) <==$/m)
  return new Map(parts.flatMap((name, index) => (index % 2 === 0 ? [[name, (parts[index + 1] ?? '').trim()]] : [])))
}

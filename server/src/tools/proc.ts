/** Files of /proc: the processor's model, lists of CPUs, and files of the network. */

/** The model of the first processor in /proc/cpuinfo; null if there is none: Arm's cpuinfo has no model name. */
export function parseCpuModel(text: string): string | null {
  return /^model name\s*:\s*(.+)$/m.exec(text)?.[1]?.trim() ?? null
}

/** `0-2,5` -> [0, 1, 2, 5], as in `Cpus_allowed_list` of /proc/PID/status and in the output of `taskset -c`. */
export function parseCpuList(text: string): number[] {
  return text.split(',').flatMap((part) => {
    const range = /^\s*(\d{1,5})(?:-(\d{1,5}))?\s*$/.exec(part)
    if (range === null) return []
    const [from, to] = [Number(range[1]), Number(range[2] ?? range[1])]
    return Array.from({ length: Math.max(0, to - from + 1) }, (_, index) => from + index)
  })
}

/**
 * Prints files in /proc/net that a kernel has only once a module of it is loaded, all of them with one command, which fails for none
 * that is missing. {@link parseProcNet} reads its output.
 */
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

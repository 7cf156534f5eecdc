/** `/proc/cpuinfo`. */

/** The first processor's model; null where there is none, as Arm's cpuinfo tells no model name. */
export function parseCpuModel(text: string): string | null {
  return /^model name\s*:\s*(.+)$/m.exec(text)?.[1]?.trim() ?? null
}

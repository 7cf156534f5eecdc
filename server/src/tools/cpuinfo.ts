/** `/proc/cpuinfo`. */

/** The first processor's model; null if there is none: Arm's cpuinfo has no model name. */
export function parseCpuModel(text: string): string | null {
  return /^model name\s*:\s*(.+)$/m.exec(text)?.[1]?.trim() ?? null
}

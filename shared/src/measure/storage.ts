const KILO = 1000
const units = ['kB', 'MB', 'GB', 'TB'] as const

/** Space on a disk: `0 kB`, `340 kB`, `85.2 MB`, `12 GB`. */
export function formatStorage(bytes: number): string {
  let value = bytes / KILO
  let unit: string = units[0]
  for (const next of units.slice(1)) {
    // A value that rounds to 1,000 is 1 in the next unit.
    if (value < KILO - 0.5) break
    value /= KILO
    unit = next
  }
  return `${unit === units[0] || value >= 100 ? Math.round(value) : Number(value.toFixed(1))} ${unit}`
}

/** `0-2,5` -> [0, 1, 2, 5], as in `Cpus_allowed_list` of /proc/PID/status and in what `taskset -c` prints. */
export function parseCpuList(text: string): number[] {
  return text.split(',').flatMap((part) => {
    const range = /^\s*(\d{1,5})(?:-(\d{1,5}))?\s*$/.exec(part)
    if (range === null) return []
    const [from, to] = [Number(range[1]), Number(range[2] ?? range[1])]
    return Array.from({ length: Math.max(0, to - from + 1) }, (_, index) => from + index)
  })
}

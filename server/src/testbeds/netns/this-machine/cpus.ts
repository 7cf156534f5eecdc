/** The CPUs that this process can use. */
import { readFileSync } from 'node:fs'
import { parseCpuList } from '../../../tools/proc.ts'

export const ONE_CPU = 'Expresslane can use one CPU here, so there is nothing to choose. Give it two CPUs or more.'

/** The CPUs that this process can use, smallest first; empty if the kernel does not list them. */
export function ownCpus(): number[] {
  try {
    const list = /^Cpus_allowed_list:(.*)$/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1] ?? ''
    return parseCpuList(list).toSorted((a, b) => a - b)
  } catch {
    // Without /proc there is no testbed here either; the preflight says so.
    return []
  }
}

/** The memory of the processes that a server started. */
import { readdir, readFile } from 'node:fs/promises'

const KB_IN_MB = 1024

/** A file in /proc; null when its process has ended. */
async function readProc(pid: string, file: string): Promise<string | null> {
  try {
    return await readFile(`/proc/${pid}/${file}`, 'utf8')
  } catch {
    return null
  }
}

async function parentOf(pid: string): Promise<string | null> {
  const status = await readProc(pid, 'status')
  return status === null ? null : (/^PPid:\s+(\d+)$/m.exec(status)?.[1] ?? null)
}

/** The descendants of a process. */
async function descendantsOf(root: number): Promise<string[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  const parents = new Map(await Promise.all(pids.map(async (pid) => [pid, await parentOf(pid)] as const)))
  const isBelow = (pid: string): boolean => {
    const parent = parents.get(pid) ?? null
    return parent !== null && (parent === String(root) || isBelow(parent))
  }
  return pids.filter(isBelow)
}

/** In MB, each shared page divided by the number of processes that share it (`Pss` in proc_pid_smaps(5)). */
async function proportional(pid: string): Promise<number> {
  const rollup = await readProc(pid, 'smaps_rollup')
  return Number(/^Pss:\s+(\d+) kB$/m.exec(rollup ?? '')?.[1] ?? 0) / KB_IN_MB
}

export interface Memory {
  /** The processes of its testbeds, in MB. */
  readonly testbeds: number
  /** How many processes these are. */
  readonly processes: number
}

/** @param pid the server's */
export async function memoryOf(pid: number): Promise<Memory> {
  const below = await descendantsOf(pid)
  const sizes = await Promise.all(below.map(proportional))
  return {
    testbeds: sizes.reduce((sum, size) => sum + size, 0),
    processes: below.length,
  }
}

/** The most memory that a process had, in MB (`VmHWM` in proc_pid_status(5)). */
export async function peakMemory(pid: number | undefined): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  return Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1]) / KB_IN_MB
}

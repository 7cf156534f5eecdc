/** The host as a test sees it from outside of any testbed. */
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'

/** The host's own devices, named namespaces, and routes; a testbed must change none. */
export function hostNetwork(): unknown {
  const ip = (...argv: string[]): unknown => {
    const text = execFileSync('ip', ['-j', ...argv], { encoding: 'utf8' })
    return text.trim() === '' ? [] : JSON.parse(text)
  }
  return { links: ip('link', 'show'), routes: ip('route'), namespaces: ip('netns', 'list') }
}

export interface Seen {
  readonly pid: number
  readonly parent: number
  readonly session: number
  readonly name: string
}

/** The processes that run now, zombies left out. */
function processes(): Seen[] {
  return readdirSync('/proc').flatMap((pid) => {
    if (!/^\d+$/.test(pid)) return []
    try {
      const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
      const end = stat.lastIndexOf(')')
      const [state, parent, , session] = stat.slice(end + 2).split(' ')
      if (state === 'Z' || state === 'X') return []
      return [
        {
          pid: Number(pid),
          parent: Number(parent),
          session: Number(session),
          name: stat.slice(stat.indexOf('(') + 1, end),
        },
      ]
    } catch {
      return []
    }
  })
}

/** All descendants of a process. */
export function descendants(of: number): Seen[] {
  const all = processes()
  const found: Seen[] = []
  for (let parents = [of]; parents.length > 0;) {
    const children = all.filter(({ parent }) => parents.includes(parent))
    found.push(...children)
    parents = children.map(({ pid }) => pid)
  }
  return found
}

export interface BpfIds {
  readonly programs: readonly number[]
  readonly maps: readonly number[]
}

/** The BPF programs and maps that processes hold, oldest first, from their open files: proc_pid_fdinfo(5). Root. */
export function bpfHeldBy(pids: readonly number[]): BpfIds {
  const files = pids.flatMap((pid) =>
    readdirSync(`/proc/${pid}/fdinfo`).map((name) => readFileSync(`/proc/${pid}/fdinfo/${name}`, 'latin1')),
  )
  const named = (name: string): number[] => {
    const lines = new RegExp(`^${name}:\\s+(\\d+)$`, 'gm')
    const ids = files.flatMap((text) => [...text.matchAll(lines)].map(([, id]) => Number(id)))
    return [...new Set(ids)].toSorted((a, b) => a - b)
  }
  return { programs: named('prog_id'), maps: named('map_id') }
}

/** The kernel threads that handle what devices named `eth0` receive. */
export function threadsOfDevices(): number[] {
  return processes().flatMap(({ pid, name }) => (name.startsWith('napi/eth0-') ? [pid] : []))
}

export function isRunning(pid: number): boolean {
  return processes().some((one) => one.pid === pid)
}

/** Looks until it holds; there is no event for the end of a process that is not a child. */
export async function until(holds: () => boolean, signal: AbortSignal): Promise<void> {
  while (!holds()) await delay(10, undefined, { signal })
}

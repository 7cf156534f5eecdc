/** The traces of a server on this machine: its processes, their namespaces, and devices. */
import { readdirSync, readFileSync, readlinkSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'

const POLL_MS = 10
const kinds = ['net', 'mnt', 'pid', 'user'] as const

/** Null for a process that has ended, or that this user may not see. */
function attempt<T>(read: () => T): T | null {
  try {
    return read()
  } catch {
    return null
  }
}

function allProcesses(): string[] {
  return readdirSync('/proc').filter((name) => /^\d+$/.test(name))
}

/** @param mark a text in the PATH of the server, which everything inherits that it starts */
function processesOf(mark: string): string[] {
  return allProcesses().filter(
    (pid) => attempt(() => readFileSync(`/proc/${pid}/environ`, 'latin1').includes(mark)) ?? false,
  )
}

function namespacesOf(pid: string): string[] {
  return kinds.flatMap((kind) => attempt(() => readlinkSync(`/proc/${pid}/ns/${kind}`)) ?? [])
}

/** When a process started, and how long the machine has been up, in the kernel's ticks of 10 ms. */
function startOf(pid: string): number {
  const stat = attempt(() => readFileSync(`/proc/${pid}/stat`, 'latin1')) ?? ''
  // After the name in parentheses, which can contain anything, this is the 20th (proc_pid_stat(5): 22).
  return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? Number.NaN)
}
const ticksNow = (): number => Number(readFileSync('/proc/uptime', 'latin1').split(' ')[0]) * 100

/** The network namespaces with a name, as `ip netns list` shows them where the process is. */
function namedBy(pid: string): string[] {
  const folder = `/proc/${pid}/root/run/netns`
  return (attempt(() => readdirSync(folder)) ?? []).flatMap(
    (name) => attempt(() => `net:[${statSync(join(folder, name)).ino}]`) ?? [],
  )
}

/** The host's devices and named namespaces. */
function onHost(): string[] {
  const devices = readdirSync('/sys/class/net').map((name) => `device ${name}`)
  const named = attempt(() => readdirSync('/run/netns')) ?? []
  return [...devices, ...named.map((name) => `namespace ${name}`)]
}

export interface Traces {
  /** Call it again just before the server ends: namespaces come and go with the labs. */
  note(): void
  /** Stops (SIGSTOP) all programs that it has started. */
  stopPrograms(): void
  /** Waits until all traces are gone, at most `ms`. @returns the rest, for people */
  left(ms: number): Promise<readonly string[]>
}

/** @param mark see {@link processesOf}. Called before the server starts: all that exists then is not the server's. */
export function watchTraces(mark: string): Traces {
  const host = new Set(onHost())
  const noted = new Set<string>()

  let notedAt = 0

  /** The kernel gives a namespace's number to a new namespace: of younger processes, or of processes that were gone once. */
  function stillThere(): string[] {
    const older = allProcesses().filter((pid) => startOf(pid) <= notedAt)
    const alive = new Set(older.flatMap(namespacesOf))
    for (const namespace of noted) if (!alive.has(namespace)) noted.delete(namespace)
    return [...noted]
  }

  function remaining(): string[] {
    const processes = processesOf(mark).map((pid) => {
      const name = attempt(() => readFileSync(`/proc/${pid}/comm`, 'utf8').trim()) ?? 'unknown'
      return `process ${pid} (${name})`
    })
    // Only the names of a path's devices and namespaces: other programs on this machine come and go, too.
    const path = /^(device|namespace) (br0|bridge|(port|lxc|node|pod)[12])$/
    return [...processes, ...stillThere(), ...onHost().filter((one) => !host.has(one) && path.test(one))]
  }

  return {
    note() {
      notedAt = ticksNow()
      // The host's are read each time: a cluster that comes up beside this makes some, which the server sees, too.
      const others = new Set([...namespacesOf('self'), ...namedBy('self')])
      for (const pid of processesOf(mark)) {
        for (const namespace of [...namespacesOf(pid), ...namedBy(pid)])
          if (!others.has(namespace)) noted.add(namespace)
      }
    },
    stopPrograms() {
      // Not the server, nor a process that it is about to start, which is still the server's program: its start would
      // not end.
      const programs = processesOf(mark).filter(
        (pid) => attempt(() => readlinkSync(`/proc/${pid}/exe`)) !== process.execPath,
      )
      for (const pid of programs) attempt(() => process.kill(Number(pid), 'SIGSTOP'))
    },
    async left(ms) {
      const until = performance.now() + ms
      for (;;) {
        const present = remaining()
        if (present.length === 0 || performance.now() > until) {
          noted.clear()
          return present
        }
        await delay(POLL_MS)
      }
    },
  }
}

/** The part of a machine that its agent does: processes, files, programs, and the holder of its namespaces. */
import type { Entrance, Machine, NamespaceHolder } from '../machine/machine.ts'
import type { Opened } from './opened.ts'
import type { Place } from './place.ts'
import { answered, startIn, terminalIn } from './processes.ts'

async function output(
  place: Place,
  argv: readonly string[],
): Promise<{ code: number | null; words: readonly string[] }> {
  const words: string[] = []
  const child = await startIn(place, { argv, onLine: (_, text) => void words.push(text) })
  const { code } = await answered(place, child.closed)
  return { code, words }
}

/** The programs in a place, each kept once it is known: each look costs the machine a process. */
interface Known {
  readonly folders: Map<string, Promise<ReadonlySet<string>>>
  /** By their whole path: a machine's files stay as they are. */
  readonly paths: Set<string>
}

/** Finds the programs of a place. */
function createFindProgram() {
  const places = new WeakMap<Place, Known>()

  async function list(place: Place, folder: string, { folders }: Known): Promise<ReadonlySet<string>> {
    const names = folders.get(folder) ?? output(place, ['ls', folder]).then(({ words }) => new Set(words))
    folders.set(folder, names)
    try {
      return await names
    } catch (error) {
      folders.delete(folder)
      throw error
    }
  }

  return async (place: Place, program: string): Promise<string | null> => {
    const known: Known = places.get(place) ?? { folders: new Map(), paths: new Set() }
    places.set(place, known)
    if (program.includes('/')) {
      const { paths } = known
      if (!paths.has(program) && (await output(place, ['test', '-x', program])).code === 0) paths.add(program)
      return paths.has(program) ? program : null
    }
    for (const folder of place.toolPath.split(':')) {
      if ((await list(place, folder, known)).has(program)) return `${folder}/${program}`
    }
    return null
  }
}

/** @throws `place.gone.reason` if it does not answer; `until.reason` */
async function check(place: Place, until: AbortSignal): Promise<void> {
  until.throwIfAborted()
  const release = place.busy()
  const stopped = Promise.withResolvers<never>()
  const stop = (): void => stopped.reject(until.reason)
  until.addEventListener('abort', stop, { once: true })
  try {
    if (!(await Promise.race([answered(place, place.ping()), stopped.promise]))) {
      await place.close()
      place.gone.throwIfAborted()
    }
  } finally {
    until.removeEventListener('abort', stop)
    release()
  }
}

/** A machine of its own has one set of namespaces: they end with it. */
function holderOf(place: Place, close: NamespaceHolder['close']): NamespaceHolder {
  const outside: Entrance = { enter: (argv) => [...argv], check: (until) => check(place, until) }
  // Its agent enters it: `ip netns exec` would be one more program, which is 35 ms of this machine's CPU time each.
  const inside = (namespace: string): Entrance => ({ ...outside, namespace })
  const terminal: NamespaceHolder['terminal'] = (start) => terminalIn(place, start)
  return { ...outside, inside, watching: inside, withServerRights: inside, outside, terminal, gone: place.gone, close }
}

/** The machine of the places that are opened one after the other. @param toolPath theirs */
export function machineOf(
  places: Opened<Place>,
  toolPath: string,
): Pick<Machine, 'toolPath' | 'wake' | 'start' | 'readText' | 'findProgram' | 'hold' | 'close'> {
  const { running } = places
  const findProgram = createFindProgram()
  return {
    toolPath,
    wake: async (signal) => void (await places.wake(signal)),
    start: async (process) => await startIn(await running(), process),
    async readText(file) {
      const place = await running()
      const release = place.busy()
      try {
        return (await answered(place, place.read(file)))?.toString('utf8') ?? null
      } finally {
        release()
      }
    },
    findProgram: async (program) => findProgram(await running(), program),
    hold: async (signal) => holderOf(await places.wake(signal), places.end),
    close: places.end,
  }
}

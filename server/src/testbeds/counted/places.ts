/**
 * The number of counted machines that run at the same time. Each takes 520 MB, and a workshop has a testbed for each
 * participant, so there are as many as half of the memory holds. A further machine takes the place of the machine that
 * was not used for the longest.
 */
import { LabError } from '@expresslane/shared/base/errors'

/** A machine, as its place knows it. */
export interface Tenant {
  /** Since when nobody waits for it, in milliseconds of a clock that never goes back; null while somebody does. */
  idleSince(): number | null
  close(): Promise<void>
}

export interface Place {
  /** Once the machine has booted; before, nobody takes its place. */
  move(tenant: Tenant): void
  leave(): void
}

export interface Places {
  /** @throws LabError `testbed_unavailable` when all machines are in use */
  take(): Promise<Place>
}

/** A machine at its largest, in bytes. */
const MACHINE_BYTES = 520 * 1024 ** 2
/** Between two commands of a run nobody waits for its machine. */
const IN_USE_MS = 5000

/** @param memory of this machine, or of the container, in bytes */
export function mostMachines(memory: number): number {
  return Math.max(2, Math.floor(memory / 2 / MACHINE_BYTES))
}

/** @param now milliseconds of the clock of `idleSince` */
export function createPlaces(most: number, now: () => number = () => performance.now()): Places {
  const taken = new Map<Place, Tenant | null>()

  function longestIdle(): [Place, Tenant] | null {
    const idle = [...taken].flatMap(([place, tenant]) => {
      const since = tenant?.idleSince() ?? null
      return tenant === null || since === null || now() - since < IN_USE_MS ? [] : [{ place, tenant, since }]
    })
    const [first] = idle.toSorted((a, b) => a.since - b.since)
    return first === undefined ? null : [first.place, first.tenant]
  }

  return {
    async take() {
      const place: Place = {
        move: (tenant) => void (taken.has(place) && taken.set(place, tenant)),
        leave: () => void taken.delete(place),
      }
      const closing: Promise<void>[] = []
      while (taken.size >= most) {
        const idle = longestIdle()
        if (idle === null) {
          throw new LabError(
            'testbed_unavailable',
            `This server already runs ${most} counted machines, and all of them are in use.`,
            'Try again when a run on one of them has ended.',
          )
        }
        taken.delete(idle[0])
        closing.push(idle[1].close())
      }
      taken.set(place, null)
      await Promise.all(closing)
      return place
    },
  }
}

/**
 * The number of counted machines that run at the same time. Each takes 520 MB, and a workshop has a testbed for each
 * participant, so there are as many as half of the memory holds. A further machine takes the slot of the machine that
 * was not used for the longest.
 */
import { LabError } from '@expresslane/shared/base/errors'

/** A machine, as its slot knows it. */
export interface Tenant {
  /** Since when nobody waits for it, in milliseconds of a clock that never goes back; null while somebody does. */
  idleSince(): number | null
  close(): Promise<void>
}

export interface Slot {
  /** Once the machine has booted; before, nobody takes its slot. */
  move(tenant: Tenant): void
  leave(): void
}

export interface Slots {
  /** @throws LabError `testbed_unavailable` when all machines are in use */
  take(): Promise<Slot>
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
export function createSlots(most: number, now: () => number = () => performance.now()): Slots {
  const taken = new Map<Slot, Tenant | null>()

  function longestIdle(): [Slot, Tenant] | null {
    const idle = [...taken].flatMap(([slot, tenant]) => {
      const since = tenant?.idleSince() ?? null
      return tenant === null || since === null || now() - since < IN_USE_MS ? [] : [{ slot, tenant, since }]
    })
    const [first] = idle.toSorted((a, b) => a.since - b.since)
    return first === undefined ? null : [first.slot, first.tenant]
  }

  return {
    async take() {
      const slot: Slot = {
        move: (tenant) => void (taken.has(slot) && taken.set(slot, tenant)),
        leave: () => void taken.delete(slot),
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
      taken.set(slot, null)
      await Promise.all(closing)
      return slot
    },
  }
}

/** A few slots for work that needs much memory: the rest waits, in the order of arrival. */

export interface Slots {
  /** Resolves when a slot is free. @returns gives it back; has no effect the second time */
  take(): Promise<() => void>
}

export function createSlots(count: number): Slots {
  let free = count
  const waiting: (() => void)[] = []

  function giveBack(): void {
    const next = waiting.shift()
    if (next === undefined) free += 1
    else next()
  }

  return {
    async take() {
      if (free > 0) free -= 1
      else await new Promise<void>((resolve) => void waiting.push(resolve))
      let taken = true
      return () => {
        if (taken) giveBack()
        taken = false
      }
    },
  }
}

/** Packets that the limiter and the long path counted while a tool ran, as the proof of both. */
import type { WatchRun } from '../feature.ts'
import { readCounters, type Read } from './reading.ts'

export const watchLimits: WatchRun = async (pods) => {
  const before = await readCounters(pods)
  return async () => {
    const after = await readCounters(pods)
    const grown = (count: (read: Read) => number): number => Math.max(0, count(after) - count(before))
    return {
      limiterPassed: grown(({ passed }) => passed),
      limiterDropped: grown(({ dropped }) => dropped),
      hostRouted: grown(({ routed }) => routed),
      pathDropped: grown(({ path }) => path?.drops ?? 0),
    }
  }
}

/** Times and durations as people read them. */
import type { TestbedKind } from '@expresslane/shared/testbed'

const clock = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'medium' })

/** `21 Nov 2026, 14:03:22`, in the reader's own time zone. */
export function formatTime(at: number): string {
  return clock.format(at)
}

/** `4.2 s`, `2 min 5 s`. */
export function formatDuration(ms: number): string {
  if (ms < 60_000) return `${(ms / 1000).toFixed(ms < 10_000 ? 1 : 0)} s`
  const seconds = Math.round(ms / 1000)
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`
}

/** `1.98`; unknown stays unknown. */
export function formatPackets(perRequest: number | null): string {
  return perRequest === null ? 'unknown' : perRequest.toFixed(2)
}

export const testbedName: Record<TestbedKind, string> = {
  netns: 'This machine',
  kubernetes: 'Kubernetes cluster',
  recording: 'Recording',
}

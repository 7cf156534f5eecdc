/** Describes recordings and runs that were played back. Pure. */
import { i18n } from '@expresslane/shared/base/language'
import type { RecordingView } from '@expresslane/shared/recordings/recording'
import { measurementsOf, type RunState } from '@expresslane/shared/run/run-state'
import { parseTestbedId, type TestbedId } from '@expresslane/shared/testbed/id'
import type { TestbedKind } from '@expresslane/shared/testbed/testbed'
import { kinds } from '@expresslane/shared/testbed/kinds'
import { formatTime } from '../words/format.ts'

/** The recording that a testbed plays back; null if it is no longer in the list. */
export function recordingOf(list: readonly RecordingView[], testbed: TestbedId): RecordingView | null {
  const { context } = parseTestbedId(testbed)
  return list.find(({ id }) => id === context) ?? null
}

/** `a machine with kernel 6.18.44`, `cluster kind-kind with kernel 6.8`: never "this machine", as it may be another. */
function placeWords(kind: TestbedKind, name: string, kernel: string): string {
  return kinds[kind].isCluster
    ? i18n.t('cluster {name} with kernel {kernel}', { name, kernel })
    : i18n.t('a machine with kernel {kernel}', { kernel })
}

/** Where and when a played-back run was measured; null if unknown. */
export function originWords(recording: RecordingView | null, run: RunState | null): string | null {
  if (recording !== null) {
    const { testbed, testbedName, kernel, recordedAt } = recording
    const place = placeWords(testbed, testbedName, kernel)
    return i18n.t('{place} on {time}', { place, time: formatTime(recordedAt) })
  }
  const facts = run?.facts ?? null
  if (run === null || facts === null) return null
  const place = placeWords(facts.kind, facts.name, facts.kernel)
  const [first] = measurementsOf(run)
  return first === undefined ? place : i18n.t('{place} on {time}', { place, time: formatTime(first.startedAt) })
}

/** The latest playback speed of this session. */
export function latestSpeed(runs: readonly RunState[]): number {
  return runs.at(-1)?.params.speed ?? 1
}

/** The part of a session that has space in a recording: every exported file can be imported. Pure. */
import { maxOf } from '@expresslane/shared/measure/extremes'
import { RECORDED_EVENTS, RECORDING_BYTES } from '@expresslane/shared/recordings/recording'
import type { Weight } from '../store/events.ts'

/** The size of a run's events, by kind. */
export interface RunWeight {
  readonly state: Weight
  readonly line: Weight
  readonly sample: Weight
}

export interface Space {
  /** The step between kept live samples; 1 keeps all. */
  readonly everySample: number
  /** How much of its output each run keeps. */
  readonly lines: readonly Weight[]
}

/** The bytes of a line in the file beside its event: the time, and the end of the line. */
const AROUND_EVENT = 40
/** The share for the file's head, and for the additions of an upgrade to this version. */
const SPARE = 0.1

function textOf({ bytes, count }: Weight): number {
  return bytes + count * AROUND_EVENT
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}

/** The largest share that each of `sizes` can have, so that all together fit into `space`. */
function fairShare(sizes: readonly number[], space: number): number {
  let [left, share] = [space, 0]
  for (const [index, size] of sizes.toSorted((a, b) => a - b).entries()) {
    share = left / (sizes.length - index)
    if (size > share) return share
    left -= size
  }
  return Number.POSITIVE_INFINITY
}

/** @returns null if not even the events that make up the runs' states have space */
export function spaceFor(runs: readonly RunWeight[], most = RECORDING_BYTES): Space | null {
  const of = (kind: keyof RunWeight): number => sum(runs.map((run) => textOf(run[kind])))
  const [states, samples, output] = [of('state'), of('sample'), of('line')]
  const left = most * (1 - SPARE) - states
  if (left <= 0 || runs.some(({ state }) => state.count >= RECORDED_EVENTS / 2)) return null
  const forSamples = samples + output <= left ? samples : Math.max(left / 2, left - output)
  const mostSamples = maxOf(
    runs.map(({ sample }) => sample.count),
    0,
  )
  const everySample = Math.ceil(Math.max(1, samples / Math.max(1, forSamples), mostSamples / (RECORDED_EVENTS / 4)))
  const share = fairShare(
    runs.map(({ line }) => textOf(line)),
    left - samples / everySample,
  )
  const lines = runs.map(({ state, sample }) => ({
    bytes: share,
    count: RECORDED_EVENTS - state.count - Math.ceil(sample.count / everySample) - 1,
  }))
  return { everySample, lines }
}

/** Counts a run's output, line by line. @returns whether a line still has space */
export function untilFull({ bytes, count }: Weight): (size: number) => boolean {
  const left = { bytes, count }
  return (size) => {
    left.bytes -= size + AROUND_EVENT
    left.count -= 1
    return left.bytes >= 0 && left.count >= 0
  }
}

/**
 * Proves where the called node handled the packets, by the programs on its devices and by the packets that reached TC,
 * and the replies' way, by the packets that the nodes received.
 */
import { maxOf, minOf } from '../../measure/extremes.ts'
import { valueOf, valuesOf, type Measurement } from '../../measure/measurement.ts'
import type { Observation } from '../../base/observation.ts'
import { podOf } from '../../testbed/placement.ts'
import type { ProofInput } from '../feature.ts'
import { ENTRY } from '../../testbed/exposed.ts'
import { accelerationIn, lbModeIn } from './settings.ts'
import { ciliumXdp } from './settings.ts'

/**
 * At TC a transaction has at least two packets, the request and its answer. With XDP no such packet gets there; all
 * packets there are the node's other traffic, which is less than one packet a transaction.
 */
const PACKET = 1
/**
 * With fewer transactions the node's other traffic, some hundred packets in a run, is more than one packet for each: such a
 * run proves nothing. Lost first packets can leave only a handful, because each costs a second.
 */
const ENOUGH = 500

/**
 * The called node receives each request, and with SNAT each reply, too; the backend's node receives each request only.
 * So the two expected ratios are 2 and 1; other traffic of the nodes moves them towards each other.
 */
const WITH_REPLIES = 1.5
const WITHOUT_REPLIES = 1.25

export function proof(input: ProofInput): Observation[] {
  return [...handled(input), ...returned(input)]
}

function handled({ settings, measurements, datapath }: ProofInput): Observation[] {
  const isNative = accelerationIn(settings) === 'native'
  const entry = podOf(datapath.placement, ENTRY)?.node ?? null
  const devices = datapath.kernel.filter(({ native, node }) => native && node === entry)
  const expected = isNative ? 'native' : 'none'
  const seen = devices.map(ciliumXdp)
  const attached = {
    label: 'XDP program of Cilium on the called node',
    expected,
    seen: seen.length === 0 ? 'unknown' : [...new Set(seen)].join(', '),
    ok: seen.length > 0 && seen.every((one) => one === expected),
  }
  // Where TC has no qdisc (tcx), nothing counts them.
  if (valuesOf(measurements, 'tcPackets').length === 0) return [attached]
  const counted = valuesOf(measurements.filter(hasEnough), 'tcPackets')
  // At TC the request comes in and goes on; with DSR that is all.
  return [
    attached,
    {
      label: 'packets at TC per transaction',
      expected: isNative ? 'fewer than 1' : 'at least 2',
      seen: worst(counted, isNative),
      ok: counted.length > 0 && counted.every((one) => (isNative ? one < PACKET : one >= 2 * PACKET)),
    },
  ]
}

function hasEnough(one: Measurement): boolean {
  return (valueOf(one, 'tps') ?? 0) * one.elapsedSeconds >= ENOUGH
}

/** The value that decides. @param isMost whether the greatest does */
function worst(counted: readonly number[], isMost: boolean): string {
  if (counted.length === 0) return 'unknown'
  return (isMost ? maxOf(counted) : minOf(counted)).toFixed(2)
}

/** Nothing is expected where the settings do not name the way. */
function returned({ settings, measurements }: ProofInput): Observation[] {
  const mode = lbModeIn(settings)
  const counted = valuesOf(measurements.filter(hasEnough), 'entryPackets')
  if (mode === null) return []
  const isDirect = mode === 'dsr'
  return [
    {
      label: 'packets into the called node for each one into the backend’s node',
      expected: isDirect ? `about 1, at most ${WITHOUT_REPLIES}` : `about 2, at least ${WITH_REPLIES}`,
      seen: worst(counted, isDirect),
      ok: counted.length > 0 && counted.every((one) => (isDirect ? one <= WITHOUT_REPLIES : one >= WITH_REPLIES)),
    },
  ]
}

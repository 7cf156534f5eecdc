/** Proves the packets' way by the counters of the nodes' kernel and of the programs around each measurement. */
import { i18n } from '../../base/language.ts'
import { tcpRrBenchmark } from '../../tools/netperf/tcp-rr.ts'
import { maxOf, minOf } from '../../measure/extremes.ts'
import { valuesOf } from '../../measure/measurement.ts'
import type { Observation } from '../../base/observation.ts'
import { LEGACY_MAX_SIZE } from '../../testbed/reading.ts'
import { observePassed } from '../counted-packets.ts'
import type { ProofInput } from '../feature.ts'
import { isForwardedByStack, isRoutedByBpf } from './devices.ts'
import { deviceIn, isBigTcp } from './settings.ts'

/** A request and its response, of which each node passes on both. */
const PACKETS_PER_TRANSACTION = 4

/** The least packets per request of a request of more than 64 KiB that has to be cut, on the average. */
const CUT = 1.5

/** A request of more than 64 KiB goes in one packet with BIG TCP, and in several without it. Nothing for smaller ones. */
function packetSize(isBig: boolean, { benchmark, measurements }: ProofInput): Observation[] {
  const { data } = tcpRrBenchmark.safeParse(benchmark)
  if (data === undefined || data.requestBytes <= LEGACY_MAX_SIZE) return []
  const seen = valuesOf(measurements, 'packetsPerRequest')
  const worst = seen.length === 0 ? null : isBig ? maxOf(seen) : minOf(seen)
  return [
    {
      label: i18n.t('packets of a request'),
      expected: isBig ? '1' : '2',
      seen: worst === null ? i18n.t('unknown') : worst.toFixed(2),
      ok: worst !== null && seen.length === measurements.length && (isBig ? worst < CUT : worst >= CUT),
    },
  ]
}

/** Without counters a run proves nothing. */
export function proof(input: ProofInput): Observation[] {
  const { settings, measurements } = input
  const device = deviceIn(settings)
  const seen = (label: string, metric: string, isHere: boolean): Observation =>
    observePassed({ label, metric, perTransaction: isHere ? PACKETS_PER_TRANSACTION : null }, measurements)
  return [
    ...packetSize(isBigTcp(settings), input),
    seen(i18n.t('packets that the nodes’ IP layer forwarded'), 'forwardedPackets', isForwardedByStack(device)),
    seen(i18n.t('packets that BPF programs redirected'), 'redirectedPackets', isRoutedByBpf(device)),
    seen(i18n.t('packets whose connection the nodes knew'), 'trackedPackets', device === 'veth-conntrack'),
  ]
}

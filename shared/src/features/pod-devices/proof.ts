/** Proves which way the packets took, by what the nodes' kernel and the programs counted around each measurement. */
import type { Observation } from '../../run/observation.ts'
import { observePassed } from '../counted-packets.ts'
import type { ProofInput } from '../feature.ts'
import { isForwardedByStack, isRoutedByBpf } from './devices.ts'
import { deviceIn } from './settings.ts'

/** A request and its response, of which each node passes on both. */
const PACKETS_PER_TRANSACTION = 4

/** Without counters a run proves nothing. */
export function proof({ settings, measurements }: ProofInput): Observation[] {
  const device = deviceIn(settings)
  const seen = (label: string, metric: string, isHere: boolean): Observation =>
    observePassed({ label, metric, perTransaction: isHere ? PACKETS_PER_TRANSACTION : null }, measurements)
  return [
    seen('packets that the nodes’ IP layer forwarded', 'forwardedPackets', isForwardedByStack(device)),
    seen('packets that BPF programs redirected', 'redirectedPackets', isRoutedByBpf(device)),
    seen('packets whose connection the nodes knew', 'trackedPackets', device === 'veth-conntrack'),
  ]
}

/** The environment of a measurement, small enough to be stored with each measurement. */
import { z } from 'zod'
import type { DatapathState } from '../testbed/reading.ts'
import { testbedKind, type TestbedFacts } from '../testbed/testbed.ts'
import { placementVariant, role, roleCpus } from '../testbed/placement.ts'
import { settings } from '../base/settings.ts'
import { bytes } from '../base/units.ts'

export const fingerprint = z.strictObject({
  testbed: testbedKind,
  /** `this machine`, or the cluster's context. */
  name: z.string(),
  incarnation: z.string(),
  kernel: z.string(),
  os: z.string(),
  cpu: z.strictObject({ model: z.string(), count: z.number().int().positive(), governor: z.string().nullable() }),
  /** The one-minute load average when the run started; null if it could not be read. */
  load: z.number().nonnegative().nullable(),
  /** As the testbed's facts have it: null if its clock shows time. */
  instructionsPerMicrosecond: z.number().positive().nullable().default(null),
  versions: z.record(z.string(), z.string()),
  /** The requested settings, of all families. */
  settings,
  /** The device of a cluster's pods and its host routing, as its agents report both; null where a setting chooses it. */
  podDevice: z.string().nullable().default(null),
  /** The MTU of the pods' devices; null if it could not be read. */
  mtu: bytes.nullable(),
  /** How the pods are spread, and the node of each role. */
  placement: z.strictObject({ variant: placementVariant, nodes: z.record(role, z.string()) }).nullable(),
  /** The CPU of each role; empty if the scheduler chose the CPUs, or without pods. */
  cpus: roleCpus.default({}),
  /** Digests of images, by the part that runs in them; empty without images. */
  images: z.record(z.string(), z.string()),
})
export type Fingerprint = z.infer<typeof fingerprint>

/** `netkit, host routing BPF, Bandwidth Manager with BBR`; null where no agent reports a device. */
function podDeviceOf({ cluster }: TestbedFacts): string | null {
  if (cluster === null || cluster.datapathMode === null) return null
  const { datapathMode, hostRouting, bandwidthManager } = cluster
  const routing = hostRouting === null ? '' : `, host routing ${hostRouting}`
  const isPaced = bandwidthManager !== null && bandwidthManager !== 'Disabled'
  return `${datapathMode}${routing}${isPaced ? `, Bandwidth Manager with ${bandwidthManager}` : ''}`
}

/** The fingerprint of the current environment. */
export function fingerprintOf(facts: TestbedFacts, datapath: DatapathState): Fingerprint {
  const { placement } = datapath
  return {
    testbed: facts.kind,
    name: facts.name,
    incarnation: facts.incarnation,
    kernel: facts.kernel,
    os: facts.os,
    cpu: facts.cpu,
    load: facts.load,
    instructionsPerMicrosecond: facts.instructionsPerMicrosecond,
    versions: facts.versions,
    settings: datapath.settings,
    podDevice: podDeviceOf(facts),
    mtu: datapath.kernel.find((device) => device.role === 'pod')?.mtu ?? null,
    placement:
      placement === null
        ? null
        : { variant: placement.variant, nodes: Object.fromEntries(placement.pods.map((pod) => [pod.role, pod.node])) },
    cpus: placement?.cpus ?? {},
    images: facts.cluster?.images ?? {},
  }
}

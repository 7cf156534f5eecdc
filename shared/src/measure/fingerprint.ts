/** The environment that a measurement was taken in, small enough to go with each one. */
import { z } from 'zod'
import type { DatapathState } from '../testbed/reading.ts'
import { testbedKind, type TestbedFacts } from '../testbed/testbed.ts'
import { placementVariant, role } from '../testbed/placement.ts'
import { settings } from './settings.ts'
import { bytes } from './units.ts'

export const fingerprint = z.strictObject({
  testbed: testbedKind,
  /** `this machine`, or the cluster's context. */
  name: z.string(),
  incarnation: z.string(),
  kernel: z.string(),
  os: z.string(),
  cpu: z.strictObject({ model: z.string(), count: z.number().int().positive(), governor: z.string().nullable() }),
  /** One-minute load average when the run began; null where it could not be read. */
  load: z.number().nonnegative().nullable(),
  versions: z.record(z.string(), z.string()),
  /** What was asked for, whichever family was measured. */
  settings,
  /** The MTU of the pods' devices; null where it could not be read. */
  mtu: bytes.nullable(),
  /** How the pods are spread, and the node of each role. */
  placement: z.strictObject({ variant: placementVariant, nodes: z.record(role, z.string()) }).nullable(),
  /** What runs -> its image's digest; empty where there are no images. */
  images: z.record(z.string(), z.string()),
})
export type Fingerprint = z.infer<typeof fingerprint>

/** The fingerprint of what is measured now. */
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
    versions: facts.versions,
    settings: datapath.settings,
    mtu: datapath.kernel.find((device) => device.role === 'pod')?.mtu ?? null,
    placement:
      placement === null
        ? null
        : { variant: placement.variant, nodes: Object.fromEntries(placement.pods.map((pod) => [pod.role, pod.node])) },
    images: facts.cluster?.images ?? {},
  }
}

/** The environment that a measurement was taken in, small enough to go with each one. */
import { z } from 'zod'
import { familySetting, type DatapathState } from './reading.ts'
import { placementVariant, testbedKind, type TestbedFacts } from './testbed.ts'
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
  /** BIG TCP, both families, whichever was measured. */
  setting: familySetting,
  /** The send limit that was asked for; null for the size that BIG TCP computes. */
  limit: bytes.nullable(),
  /** The MTU of the pods' devices; null where it could not be read. */
  mtu: bytes.nullable(),
  placement: z.strictObject({ variant: placementVariant, client: z.string(), server: z.string() }).nullable(),
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
    setting: datapath.intended,
    limit: datapath.limit,
    mtu: datapath.kernel.find(({ role }) => role === 'pod')?.mtu ?? null,
    placement:
      placement === null
        ? null
        : { variant: placement.variant, client: placement.client.node, server: placement.server.node },
    images: facts.cluster?.images ?? {},
  }
}

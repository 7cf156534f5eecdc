/** The environment that a measurement was taken in, small enough to go with each one. */
import { z } from 'zod'
import { familySetting, type DatapathState } from '../testbed/reading.ts'
import { testbedKind, type TestbedFacts, type TestbedKind } from '../testbed/testbed.ts'
import { placementVariant, role, type PlacementVariant, type Role } from '../testbed/placement.ts'
import { bytes, family, familyName, formatCount, formatSize, type Family } from './units.ts'

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
    setting: datapath.intended,
    limit: datapath.limit,
    mtu: datapath.kernel.find((device) => device.role === 'pod')?.mtu ?? null,
    placement:
      placement === null
        ? null
        : { variant: placement.variant, nodes: Object.fromEntries(placement.pods.map((pod) => [pod.role, pod.node])) },
    images: facts.cluster?.images ?? {},
  }
}

/** One thing that was not alike, in words. */
export interface Difference {
  readonly label: string
  readonly was: string
  readonly is: string
}

const UNKNOWN = 'unknown'
const NOT_RECORDED = 'not recorded'

const kindName: Record<TestbedKind, string> = {
  netns: 'namespaces of this machine',
  kubernetes: 'a Kubernetes cluster',
  recording: 'a recording',
}

const variantName: Record<PlacementVariant, string> = {
  'other-node': 'on different nodes',
  'same-node': 'on the same node',
  'host-network': 'on the nodes’ own network',
}

/** `client on node1, server on node2`. */
export function nodesWords(nodes: Readonly<Record<Role, string>>): string {
  return Object.entries(nodes)
    .map(([of, node]) => `${of} on ${node}`)
    .join(', ')
}

function placementWords({ placement }: Fingerprint): string {
  if (placement === null) return UNKNOWN
  return `${variantName[placement.variant]} (${nodesWords(placement.nodes)})`
}

function onOff(on: boolean): string {
  return on ? 'on' : 'off'
}

/** What is told, in the order of how much it weighs. The measured family's own setting is what the arms are about. */
function labelled(of: Fingerprint, measured: Family): Map<string, string> {
  const other = family.options.filter((one) => one !== measured)
  return new Map([
    ['Testbed', kindName[of.testbed]],
    ['Name', of.name],
    ['CPU', `${of.cpu.count} × ${of.cpu.model}`],
    ['CPU governor', of.cpu.governor ?? UNKNOWN],
    ['Kernel', of.kernel],
    ['Operating system', of.os],
    ['Pods', placementWords(of)],
    ['MTU of the pods', of.mtu === null ? UNKNOWN : `${formatCount(of.mtu)} bytes`],
    ...other.map((one): [string, string] => [`BIG TCP over ${familyName[one]}`, onOff(of.setting[one])]),
  ])
}

function keyed(
  what: string,
  was: Readonly<Record<string, string>>,
  is: Readonly<Record<string, string>>,
): Difference[] {
  const keys = new Set([...Object.keys(was), ...Object.keys(is)])
  return [...keys].toSorted().flatMap((key) => {
    const [before, after] = [was[key] ?? NOT_RECORDED, is[key] ?? NOT_RECORDED]
    return before === after ? [] : [{ label: `${what} ${key}`, was: before, is: after }]
  })
}

/**
 * Two limits can be what two arms are about, and then one of them is `off` more often than not: told only where both
 * were measured with BIG TCP.
 */
function limitsOf(was: Fingerprint, is: Fingerprint, measured: Family): Difference[] {
  if (!was.setting[measured] || !is.setting[measured] || was.limit === is.limit) return []
  const words = ({ limit }: Fingerprint): string => (limit === null ? 'as the devices allow' : formatSize(limit))
  return [{ label: 'Send limit', was: words(was), is: words(is) }]
}

/**
 * How busy the machine was: told where it is more than what the runs before leave behind in a one-minute average,
 * half the processors and never less than 1.5.
 */
function loadsOf(was: Fingerprint, is: Fingerprint): Difference[] {
  const words = ({ load }: Fingerprint): string => (load === null ? UNKNOWN : load.toFixed(1))
  const least = Math.max(1.5, Math.min(was.cpu.count, is.cpu.count) / 2)
  const alike = was.load === null || is.load === null ? was.load === is.load : Math.abs(was.load - is.load) < least
  return alike ? [] : [{ label: 'Load at the start', was: words(was), is: words(is) }]
}

/**
 * What differs between the environments of two measurements, besides the measured family's BIG TCP. The incarnation is
 * left out: namespaces and pods are made anew for every arm. An environment that was not recorded is itself a difference.
 *
 * @param measured the family that both were measured over
 */
export function fingerprintDifferences(
  was: Fingerprint | null,
  is: Fingerprint | null,
  measured: Family,
): Difference[] {
  if (was === null || is === null) {
    const words = (one: Fingerprint | null): string => (one === null ? NOT_RECORDED : 'recorded')
    return [{ label: 'Environment', was: words(was), is: words(is) }]
  }
  const [before, after] = [labelled(was, measured), labelled(is, measured)]
  const plain = [...before].flatMap(([label, value]) => {
    const now = after.get(label) ?? UNKNOWN
    return value === now ? [] : [{ label, was: value, is: now }]
  })
  return [
    ...plain,
    ...limitsOf(was, is, measured),
    ...keyed('Version of', was.versions, is.versions),
    ...keyed('Image of', was.images, is.images),
    ...loadsOf(was, is),
  ]
}

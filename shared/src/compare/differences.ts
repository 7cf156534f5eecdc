/** What differs between the environments of two measurements. Pure. */
import { allSettings, counts, settingName, settingsFor } from '../features/settings.ts'
import type { Fingerprint } from '../measure/fingerprint.ts'
import type { SettingValue } from '../measure/settings.ts'
import { formatCount, type Family } from '../measure/units.ts'
import type { PlacementVariant, Role } from '../testbed/placement.ts'
import type { TestbedKind } from '../testbed/testbed.ts'

/** One thing that was not alike, in words. */
export interface Difference {
  /** Of what: `kernel`, `setting:size-limit`, `version:netperf`. */
  readonly key: string
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

/** What is shown, in the order of how much it weighs, by key. */
function listed(of: Fingerprint): Map<string, readonly [label: string, value: string]> {
  return new Map([
    ['testbed', ['Testbed', kindName[of.testbed]]],
    ['name', ['Name', of.name]],
    ['cpu', ['CPU', `${of.cpu.count} × ${of.cpu.model}`]],
    ['governor', ['CPU governor', of.cpu.governor ?? UNKNOWN]],
    ['kernel', ['Kernel', of.kernel]],
    ['os', ['Operating system', of.os]],
    ['placement', ['Pods', placementWords(of)]],
    ['mtu', ['MTU of the pods', of.mtu === null ? UNKNOWN : `${formatCount(of.mtu)} bytes`]],
  ])
}

/**
 * Settings that differ, in the order of the registry. The measured family's own are what the arms are about; one that
 * has no effect on a side is no difference, and one that the fingerprint reads back is shown as it was read.
 */
function settingsOf(was: Fingerprint, is: Fingerprint, measured: Family): Difference[] {
  return allSettings.flatMap((setting) => {
    const { id, family, readAs, format } = setting
    const [before, after] = [was.settings[id], is.settings[id]]
    const bothCount = [was, is].every((one) => counts(setting, settingsFor(one.settings, [measured])))
    if (before === after || family === measured || readAs !== undefined || !bothCount) return []
    const words = (value: SettingValue | undefined): string => (value === undefined ? UNKNOWN : format(value))
    return [{ key: `setting:${id}`, label: settingName(setting), was: words(before), is: words(after) }]
  })
}

function keyed(
  kind: string,
  what: string,
  was: Readonly<Record<string, string>>,
  is: Readonly<Record<string, string>>,
): Difference[] {
  const keys = new Set([...Object.keys(was), ...Object.keys(is)])
  return [...keys].toSorted().flatMap((key) => {
    const [before, after] = [was[key] ?? NOT_RECORDED, is[key] ?? NOT_RECORDED]
    return before === after ? [] : [{ key: `${kind}:${key}`, label: `${what} ${key}`, was: before, is: after }]
  })
}

/**
 * How busy the machine was: told where it is more than what the runs before leave behind in a one-minute average,
 * half the processors and never less than 1.5.
 */
function loadsOf(was: Fingerprint, is: Fingerprint): Difference[] {
  const words = ({ load }: Fingerprint): string => (load === null ? UNKNOWN : load.toFixed(1))
  const least = Math.max(1.5, Math.min(was.cpu.count, is.cpu.count) / 2)
  const alike = was.load === null || is.load === null ? was.load === is.load : Math.abs(was.load - is.load) < least
  return alike ? [] : [{ key: 'load', label: 'Load at the start', was: words(was), is: words(is) }]
}

/**
 * What differs between the environments of two measurements, besides the measured family's own settings. The incarnation is
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
    return [{ key: 'environment', label: 'Environment', was: words(was), is: words(is) }]
  }
  const after = listed(is)
  const plain = [...listed(was)].flatMap(([key, [label, value]]) => {
    const now = after.get(key)?.[1] ?? UNKNOWN
    return value === now ? [] : [{ key, label, was: value, is: now }]
  })
  return [
    ...plain,
    ...settingsOf(was, is, measured),
    ...keyed('version', 'Version of', was.versions, is.versions),
    ...keyed('image', 'Image of', was.images, is.images),
    ...loadsOf(was, is),
  ]
}

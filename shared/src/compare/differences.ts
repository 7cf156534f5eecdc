/** The differences between the environments of two measurements. Pure. */
import { allSettings, counts, settingName, settingsFor } from '../features/settings.ts'
import { cpuWords } from '../features/cpu-placement.ts'
import { roleName } from '../features/words.ts'
import type { Fingerprint } from '../measure/fingerprint.ts'
import type { SettingValue } from '../base/settings.ts'
import { formatCount, type Family } from '../base/units.ts'
import type { PlacementVariant, Role } from '../testbed/placement.ts'
import type { TestbedKind } from '../testbed/testbed.ts'

/** A difference between two environments, in words. */
export interface Difference {
  /** `kernel`, `setting:size-limit`, `version:netperf`. */
  readonly key: string
  readonly label: string
  readonly was: string
  readonly is: string
}

const UNKNOWN = 'unknown'
const NOT_RECORDED = 'not recorded'

const kindName: Record<TestbedKind, string> = {
  netns: 'namespaces of this machine',
  counted: 'the counted machine',
  ssh: 'a host over ssh',
  kubernetes: 'a Kubernetes cluster',
  recording: 'a recording',
}

const variantName: Record<PlacementVariant, string> = {
  'other-node': 'on different nodes',
  'same-node': 'on the same node',
  'host-network': 'on the nodes’ own network',
}

/** `client on node1, server on node2`; only the name of a place that is its own node. */
export function nodesWords(nodes: Readonly<Record<Role, string>>): string {
  return Object.entries(nodes)
    .map(([of, node]) => (roleName(of) === node ? node : `${roleName(of)} on ${node}`))
    .join(', ')
}

function placementWords({ placement }: Fingerprint): string {
  if (placement === null) return UNKNOWN
  return `${variantName[placement.variant]} (${nodesWords(placement.nodes)})`
}

/** The shown values by key, the most important first. */
function listed(of: Fingerprint): Map<string, readonly [label: string, value: string]> {
  return new Map([
    ['testbed', ['Testbed', kindName[of.testbed]]],
    ['name', ['Name', of.name]],
    ['cpu', ['CPU', `${of.cpu.count} × ${of.cpu.model}`]],
    ['governor', ['CPU governor', of.cpu.governor ?? UNKNOWN]],
    ['kernel', ['Kernel', of.kernel]],
    ['os', ['Operating system', of.os]],
    ['placement', ['Pods', placementWords(of)]],
    ['cpus', ['CPU placement', cpuWords(of.cpus)]],
    ['pod-device', ['Device of the pods', of.podDevice ?? NOT_RECORDED]],
    ['mtu', ['MTU of the pods', of.mtu === null ? UNKNOWN : `${formatCount(of.mtu)} bytes`]],
  ])
}

/**
 * Different settings, in the order of the registry. Left out are the measured family's settings, because the arms compare
 * them, settings without effect on one side, and settings that the fingerprint reads back: the read value is shown.
 */
function settingsOf(was: Fingerprint, is: Fingerprint, measured: Family): Difference[] {
  return allSettings().flatMap((setting) => {
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
 * The load at the start, if it differs by at least half the processors, and at least 1.5: earlier runs alone change the
 * one-minute average by less.
 */
function loadsOf(was: Fingerprint, is: Fingerprint): Difference[] {
  const words = ({ load }: Fingerprint): string => (load === null ? UNKNOWN : load.toFixed(1))
  const least = Math.max(1.5, Math.min(was.cpu.count, is.cpu.count) / 2)
  const alike = was.load === null || is.load === null ? was.load === is.load : Math.abs(was.load - is.load) < least
  return alike ? [] : [{ key: 'load', label: 'Load at the start', was: words(was), is: words(is) }]
}

/**
 * The differences between the environments of two measurements, except for the measured family's settings. The incarnation
 * is left out, because namespaces and pods are created again for every arm. A missing environment is a difference, too.
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

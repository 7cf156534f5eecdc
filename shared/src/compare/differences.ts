/** The differences between the environments of two measurements. Pure. */
import { i18n } from '../base/language.ts'
import { allSettings, counts, settingName, settingsFor } from '../features/settings.ts'
import { cpuWords } from '../features/cpu-placement.ts'
import { roleName } from '../features/words.ts'
import type { Fingerprint } from '../measure/fingerprint.ts'
import type { SettingValue } from '../base/settings.ts'
import { formatCount, formatFixed, type Family } from '../base/units.ts'
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

const unknown = (): string => i18n.t('unknown')
const notRecorded = (): string => i18n.t('not recorded')

const kindName: Record<TestbedKind, string> = {
  netns: /*i18n*/ 'namespaces of this machine',
  counted: /*i18n*/ 'the counted machine',
  emulated: /*i18n*/ 'an emulated computer in a browser tab',
  ssh: /*i18n*/ 'a host over ssh',
  kubernetes: /*i18n*/ 'a Kubernetes cluster',
  recording: /*i18n*/ 'a recording',
}

const variantName: Record<PlacementVariant, string> = {
  'other-node': /*i18n*/ 'on different nodes',
  'same-node': /*i18n*/ 'on the same node',
  'host-network': /*i18n*/ 'on the nodes’ own network',
}

/** `client on node1, server on node2`; only the name of a place that is its own node. */
export function nodesWords(nodes: Readonly<Record<Role, string>>): string {
  return Object.entries(nodes)
    .map(([of, node]) => (roleName(of) === node ? node : i18n.t('{role} on {node}', { role: roleName(of), node })))
    .join(', ')
}

function placementWords({ placement }: Fingerprint): string {
  if (placement === null) return unknown()
  return `${i18n.t(variantName[placement.variant])} (${nodesWords(placement.nodes)})`
}

/** The shown values by key, the most important first. */
function listed(of: Fingerprint): Map<string, readonly [label: string, value: string]> {
  return new Map([
    ['testbed', [i18n.t('Testbed'), i18n.t(kindName[of.testbed])]],
    ['name', [i18n.t('Name'), of.name]],
    ['cpu', ['CPU', `${of.cpu.count} × ${of.cpu.model}`]],
    ['governor', [i18n.t('CPU governor'), of.cpu.governor ?? unknown()]],
    ['kernel', [i18n.t('Kernel'), of.kernel]],
    ['os', [i18n.t('Operating system'), of.os]],
    ['placement', ['Pods', placementWords(of)]],
    ['cpus', [i18n.t('CPU placement'), cpuWords(of.cpus)]],
    ['pod-device', [i18n.t('Device of the pods'), of.podDevice ?? notRecorded()]],
    [
      'mtu',
      [
        i18n.t('MTU of the pods'),
        of.mtu === null ? unknown() : i18n.t('{count} bytes', { count: formatCount(of.mtu) }),
      ],
    ],
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
    const words = (value: SettingValue | undefined): string => (value === undefined ? unknown() : format(value))
    return [{ key: `setting:${id}`, label: settingName(setting), was: words(before), is: words(after) }]
  })
}

function keyed(
  kind: string,
  label: (of: string) => string,
  was: Readonly<Record<string, string>>,
  is: Readonly<Record<string, string>>,
): Difference[] {
  const keys = new Set([...Object.keys(was), ...Object.keys(is)])
  return [...keys].toSorted().flatMap((key) => {
    const [before, after] = [was[key] ?? notRecorded(), is[key] ?? notRecorded()]
    return before === after ? [] : [{ key: `${kind}:${key}`, label: label(key), was: before, is: after }]
  })
}

/**
 * The load at the start, if it differs by at least half the processors, and at least 1.5: earlier runs alone change the
 * one-minute average by less.
 */
function loadsOf(was: Fingerprint, is: Fingerprint): Difference[] {
  const words = ({ load }: Fingerprint): string => (load === null ? unknown() : formatFixed(load, 1))
  const least = Math.max(1.5, Math.min(was.cpu.count, is.cpu.count) / 2)
  const alike = was.load === null || is.load === null ? was.load === is.load : Math.abs(was.load - is.load) < least
  return alike ? [] : [{ key: 'load', label: i18n.t('Load at the start'), was: words(was), is: words(is) }]
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
    const words = (one: Fingerprint | null): string => (one === null ? notRecorded() : i18n.t('recorded'))
    return [{ key: 'environment', label: i18n.t('Environment'), was: words(was), is: words(is) }]
  }
  const after = listed(is)
  const plain = [...listed(was)].flatMap(([key, [label, value]]) => {
    const now = after.get(key)?.[1] ?? unknown()
    return value === now ? [] : [{ key, label, was: value, is: now }]
  })
  return [
    ...plain,
    ...settingsOf(was, is, measured),
    ...keyed('version', (of) => i18n.t('Version of {of}', { of }), was.versions, is.versions),
    ...keyed('image', (of) => i18n.t('Image of {of}', { of }), was.images, is.images),
    ...loadsOf(was, is),
  ]
}

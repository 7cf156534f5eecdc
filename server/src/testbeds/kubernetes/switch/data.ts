/** What is written to `cilium-config` to switch BIG TCP. Pure. */
import type { Family } from '@expresslane/shared/measure/units'
import { ADDED_KEYS, SETTING_KEYS, type StoredSettings } from '../datapath/settings.ts'
import { wishes, type Change } from '../datapath/taken.ts'

/** The ConfigMap's keys to write; null removes a key. */
export type Data = Readonly<Record<string, string | null>>

/** A merge patch of the ConfigMap. */
export interface ConfigPatch {
  /** Only if the note of the added keys changes. */
  readonly metadata?: { readonly annotations: Data }
  readonly data: Data
}

const families: readonly Family[] = ['ipv4', 'ipv6']

export function dataOf(settings: readonly (readonly [Family, boolean])[]): Data {
  return Object.fromEntries(settings.map(([family, on]) => [SETTING_KEYS[family], String(on)]))
}

/**
 * What has to change in the ConfigMap: nothing if it already asks for that, also by a missing key. A key that
 * Expresslane added is removed instead of set to `false`.
 */
export function dataFor(change: Change, { intended, added }: Pick<StoredSettings, 'intended' | 'added'>): Data {
  const wanted = wishes(change).filter(([family, on]) => intended[family] !== on)
  return Object.fromEntries(
    wanted.map(([family, on]) => [SETTING_KEYS[family], !on && added.has(family) ? null : String(on)]),
  )
}

function noteOf({ map }: StoredSettings): string | null {
  return map.metadata?.annotations?.[ADDED_KEYS] ?? null
}

/** The patch that writes `data`, and notes on the ConfigMap which keys were added: the note outlives this process. */
export function patchFor(data: Data, settings: StoredSettings): ConfigPatch {
  const { added, raw } = settings
  const isAdded = (family: Family): boolean => {
    const value = data[SETTING_KEYS[family]]
    // A key with a value of somebody else is theirs, also when it is written now.
    return value === undefined ? added.has(family) : value !== null && raw[family] === null
  }
  const keys = families.filter(isAdded).map((family) => SETTING_KEYS[family])
  const note = keys.length === 0 ? null : keys.join(',')
  return note === noteOf(settings) ? { data } : { metadata: { annotations: { [ADDED_KEYS]: note } }, data }
}

/** The patch that restores what `patch` changes, verbatim. */
export function undoOf({ data, metadata }: ConfigPatch, settings: StoredSettings): ConfigPatch {
  const written = families.filter((family) => SETTING_KEYS[family] in data)
  const old = Object.fromEntries(written.map((family) => [SETTING_KEYS[family], settings.raw[family]]))
  return metadata === undefined
    ? { data: old }
    : { metadata: { annotations: { [ADDED_KEYS]: noteOf(settings) } }, data: old }
}

/** The data that is written to `cilium-config` to switch settings. Pure. */
import { z } from 'zod'
import { readOutput } from '../../../tools/read-output.ts'
import type { CiliumKey, KeyValues } from '../../cilium-key.ts'
import { ADDED_KEYS, UNDO, type StoredSettings } from '../datapath/settings.ts'

/** The ConfigMap's keys to write; null removes a key. */
export type Data = Readonly<Record<string, string | null>>

/** A merge patch of the ConfigMap. */
export interface ConfigPatch {
  /** Only if the note of the added keys changes. */
  readonly metadata?: { readonly annotations: Data }
  readonly data: Data
}

/** The other value of each key of a change. */
export function oppositeOf(change: KeyValues, keys: readonly CiliumKey[]): Data {
  const changed = keys.filter(({ key }) => key in change)
  return Object.fromEntries(changed.map(({ key, values: [off, on] }) => [key, change[key] === off ? on : off]))
}

/**
 * The changes that the ConfigMap needs: none if it already asks for that, also by a missing key. A key that
 * Expresslane added is removed instead of set to the value for off.
 */
export function dataFor(change: KeyValues, { keys, intended, added }: StoredSettings): Data {
  const wanted = keys.filter(({ key }) => key in change && intended[key] !== change[key])
  return Object.fromEntries(
    wanted.map(({ key, values: [off] }) => [key, change[key] === off && added.has(key) ? null : (change[key] ?? null)]),
  )
}

function noteOf({ map }: StoredSettings): string | null {
  return map.metadata?.annotations?.[ADDED_KEYS] ?? null
}

/** The patch that writes `data`, and notes on the ConfigMap which keys were added: the note outlives this process. */
export function patchFor(data: Data, settings: StoredSettings): ConfigPatch {
  const { added, raw } = settings
  const isAdded = ({ key }: CiliumKey): boolean => {
    const value = data[key]
    // A key with a value of somebody else is theirs, also when it is written now.
    return value === undefined ? added.has(key) : value !== null && raw[key] === null
  }
  const keys = settings.keys.filter(isAdded).map(({ key }) => key)
  const note = keys.length === 0 ? null : keys.join(',')
  return note === noteOf(settings) ? { data } : { metadata: { annotations: { [ADDED_KEYS]: note } }, data }
}

/** The patch that restores the keys that `patch` changes, verbatim. */
export function undoOf({ data, metadata }: ConfigPatch, settings: StoredSettings): ConfigPatch {
  const written = settings.keys.filter(({ key }) => key in data)
  const old = Object.fromEntries(written.map(({ key }) => [key, settings.raw[key] ?? null]))
  return metadata === undefined
    ? { data: old }
    : { metadata: { annotations: { [ADDED_KEYS]: noteOf(settings) } }, data: old }
}

function undoTry(data: Data): ConfigPatch {
  return { metadata: { annotations: { [UNDO]: null } }, data }
}

/** The patch that writes settings to try, and its undo, which it notes on the ConfigMap: any Expresslane can do it then. */
export function tryPatch(
  data: KeyValues,
  { map }: Pick<StoredSettings, 'map'>,
): { readonly patch: ConfigPatch; readonly old: ConfigPatch } {
  const old = Object.fromEntries(Object.keys(data).map((key) => [key, map.data?.[key] ?? null]))
  return { patch: { metadata: { annotations: { [UNDO]: JSON.stringify(old) } }, data }, old: undoTry(old) }
}

const undoData = z.record(z.string(), z.string().nullable())

/**
 * The patch that undoes a try that did not come to its end; null if there is none.
 *
 * @throws LabError `tool_output_unreadable` for a note that Expresslane did not write
 */
export function leftUndo({ map }: Pick<StoredSettings, 'map'>): ConfigPatch | null {
  const note = map.metadata?.annotations?.[UNDO]
  if (note === undefined) return null
  const described = {
    name: `The annotation ${UNDO} of cilium-config`,
    remedy: 'Restore the settings of cilium-config by hand, and remove the annotation.',
  }
  return undoTry(readOutput(undoData, note, described))
}

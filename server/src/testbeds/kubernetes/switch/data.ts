/** What is written to `cilium-config` to switch settings. Pure. */
import {
  ADDED_KEYS,
  knobs,
  SETTING_KEYS,
  type ChoiceValue,
  type Knob,
  type StoredSettings,
} from '../datapath/settings.ts'
import { wishes, type Change } from '../datapath/taken.ts'

/** The ConfigMap's keys to write; null removes a key. */
export type Data = Readonly<Record<string, string | null>>

/** A merge patch of the ConfigMap. */
export interface ConfigPatch {
  /** Only if the note of the added keys changes. */
  readonly metadata?: { readonly annotations: Data }
  readonly data: Data
}

export function dataOf(settings: readonly (readonly [Knob, boolean | ChoiceValue])[]): Data {
  return Object.fromEntries(settings.map(([knob, value]) => [SETTING_KEYS[knob], String(value)]))
}

function isOff(value: boolean | ChoiceValue): boolean {
  return value === false || value === 'disabled' || value === 'snat'
}

const otherChoice: Readonly<Record<ChoiceValue, ChoiceValue>> = {
  disabled: 'native',
  native: 'disabled',
  snat: 'dsr',
  dsr: 'snat',
}

/** The other value. */
export function oppositeOf(value: boolean | ChoiceValue): boolean | ChoiceValue {
  return typeof value === 'boolean' ? !value : otherChoice[value]
}

/**
 * What has to change in the ConfigMap: nothing if it already asks for that, also by a missing key. A key that
 * Expresslane added is removed instead of set to the value for off.
 */
export function dataFor(change: Change, { intended, added }: Pick<StoredSettings, 'intended' | 'added'>): Data {
  const wanted = wishes(change).filter(([knob, value]) => intended[knob] !== value)
  return Object.fromEntries(
    wanted.map(([knob, value]) => [SETTING_KEYS[knob], isOff(value) && added.has(knob) ? null : String(value)]),
  )
}

function noteOf({ map }: StoredSettings): string | null {
  return map.metadata?.annotations?.[ADDED_KEYS] ?? null
}

/** The patch that writes `data`, and notes on the ConfigMap which keys were added: the note outlives this process. */
export function patchFor(data: Data, settings: StoredSettings): ConfigPatch {
  const { added, raw } = settings
  const isAdded = (knob: Knob): boolean => {
    const value = data[SETTING_KEYS[knob]]
    // A key with a value of somebody else is theirs, also when it is written now.
    return value === undefined ? added.has(knob) : value !== null && raw[knob] === null
  }
  const keys = knobs.filter(isAdded).map((knob) => SETTING_KEYS[knob])
  const note = keys.length === 0 ? null : keys.join(',')
  return note === noteOf(settings) ? { data } : { metadata: { annotations: { [ADDED_KEYS]: note } }, data }
}

/** The patch that restores what `patch` changes, verbatim. */
export function undoOf({ data, metadata }: ConfigPatch, settings: StoredSettings): ConfigPatch {
  const written = knobs.filter((knob) => SETTING_KEYS[knob] in data)
  const old = Object.fromEntries(written.map((knob) => [SETTING_KEYS[knob], settings.raw[knob]]))
  return metadata === undefined
    ? { data: old }
    : { metadata: { annotations: { [ADDED_KEYS]: noteOf(settings) } }, data: old }
}

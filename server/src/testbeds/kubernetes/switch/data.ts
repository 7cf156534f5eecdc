/** What is written to the keys of `cilium-config` that switch BIG TCP. Pure. */
import type { Family } from '@expresslane/shared/measure/units'
import { SETTING_KEYS, type StoredSettings } from '../datapath/settings.ts'
import { wishes, type Change } from '../datapath/taken.ts'

/** The ConfigMap's keys to write; null takes a key away. */
export type Data = Readonly<Record<string, string | null>>

export function dataOf(settings: readonly (readonly [Family, boolean])[]): Data {
  return Object.fromEntries(settings.map(([family, on]) => [SETTING_KEYS[family], String(on)]))
}

/**
 * What of the ConfigMap has to change: nothing where it asks for that already, be it by having no such key.
 *
 * @param added the keys of these families are taken away instead of set to `false`
 */
export function dataFor(
  change: Change,
  { intended }: Pick<StoredSettings, 'intended'>,
  added: ReadonlySet<Family> = new Set(),
): Data {
  const wanted = wishes(change).filter(([family, on]) => intended[family] !== on)
  return Object.fromEntries(
    wanted.map(([family, on]) => [SETTING_KEYS[family], !on && added.has(family) ? null : String(on)]),
  )
}

/** Notes which keys are there by this process alone, once `data` was taken. */
export function noteAdded(data: Data, { raw }: StoredSettings, added: Set<Family>): void {
  for (const family of ['ipv4', 'ipv6'] as const) {
    if (!(SETTING_KEYS[family] in data)) continue
    if (raw[family] === null) added.add(family)
    else added.delete(family)
  }
}

/** The values that the same keys have now, verbatim. */
export function before(data: Data, { raw }: StoredSettings): Data {
  const families = (['ipv4', 'ipv6'] as const).filter((family) => SETTING_KEYS[family] in data)
  return Object.fromEntries(families.map((family) => [SETTING_KEYS[family], raw[family]]))
}

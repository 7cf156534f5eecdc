/** The values that are written to `cilium-config` to switch BIG TCP. Pure. */
import type { Family } from '@expresslane/shared/measure/units'
import { SETTING_KEYS, type StoredSettings } from '../datapath/settings.ts'
import { wishes, type Change } from '../datapath/taken.ts'

/** The ConfigMap's keys to write; null removes a key. */
export type Data = Readonly<Record<string, string | null>>

export function dataOf(settings: readonly (readonly [Family, boolean])[]): Data {
  return Object.fromEntries(settings.map(([family, on]) => [SETTING_KEYS[family], String(on)]))
}

/**
 * What has to change in the ConfigMap: nothing if it already asks for that, also by a missing key.
 *
 * @param added the keys of these families are removed instead of set to `false`
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

/** Notes which keys only this process has added, once `data` was written. */
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

/** Settings: what a path is set to, one value for each setting. Structural: what a setting means is its feature's part. */
import { z } from 'zod'

/** `big-tcp-ipv4`, `size-limit`. */
export const settingId = z.string().regex(/^[a-z][a-z0-9-]{0,40}$/)

/** Null where "off" is the absence of a value. */
export const settingValue = z.union([z.boolean(), z.number(), z.string().max(200), z.null()])
export type SettingValue = z.infer<typeof settingValue>

/** By setting id. What is left out is unknown in a reading, and stays as it is in a change. */
export const settings = z.record(settingId, settingValue)
export type Settings = Readonly<z.infer<typeof settings>>

/** The ids of the settings whose values differ; a setting that only one of the two has differs too. */
export function changedSettings(was: Settings, is: Settings): string[] {
  return [...new Set([...Object.keys(was), ...Object.keys(is)])].filter((id) => was[id] !== is[id])
}

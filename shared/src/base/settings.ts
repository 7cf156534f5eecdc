/** Settings of a path by id. Their meaning is defined by the features. */
import { z } from 'zod'

/** `big-tcp-ipv4`, `size-limit`. */
export const settingId = z.string().regex(/^[a-z][a-z0-9-]{0,40}$/)

/** Null for settings that are off when they have no value. */
export const settingValue = z.union([z.boolean(), z.number(), z.string().max(200), z.null()])
export type SettingValue = z.infer<typeof settingValue>

/** By setting id. A missing setting is unknown in a reading, and unchanged in a request. */
export const settings = z.record(settingId, settingValue)
export type Settings = Readonly<z.infer<typeof settings>>

/** The ids of settings with different values, including settings that only one side has. */
export function changedSettings(was: Settings, is: Settings): string[] {
  return [...new Set([...Object.keys(was), ...Object.keys(is)])].filter((id) => was[id] !== is[id])
}

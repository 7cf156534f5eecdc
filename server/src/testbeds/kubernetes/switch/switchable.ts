/** Refuses the changes that Cilium would refuse, before anything is changed. Pure. */
import { LabError } from '@expresslane/shared/base/errors'
import { SET_IT, type CiliumKey, type KeyValues } from '../../cilium-key.ts'
import type { StoredSettings } from '../datapath/settings.ts'

/** Why a value that is set now is not switched; null if it can be. */
export function unknownValue({ key, values }: CiliumKey, { intended, raw }: StoredSettings): string | null {
  if (intended[key] !== null) return null
  return `cilium-config sets ${key} to ${raw[key] ?? 'nothing'}; only ${values.join(' and ')} can be switched.`
}

/** @throws LabError `bad_request` if a present value is not switched, or Cilium's agents would refuse the new value */
export function requireSwitchable(change: KeyValues, settings: StoredSettings): void {
  const changed = settings.keys.filter(({ key }) => key in change)
  for (const one of changed) {
    const unknown = unknownValue(one, settings)
    if (unknown !== null) throw new LabError('bad_request', unknown, SET_IT)
  }
  for (const one of changed) {
    const refusal = one.refusal?.(change[one.key] ?? '', settings.map.data ?? {}) ?? null
    if (refusal !== null) throw refusal
  }
}

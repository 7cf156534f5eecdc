/**
 * Versions 1 and 2 named BIG TCP's settings one by one: `bigTcp`, `limit` and `mtu` of an arm, `intended`, `limit` and
 * `mtu` of a path, `setting` and `limit` of a fingerprint.
 */
import { changed, each, isObject, type Raw } from './raw.ts'

/** An arm's `bigTcp` was for the families that its experiment measured. */
function upgradeArm(measured: readonly string[]): (raw: unknown) => unknown {
  return (raw) => {
    if (!isObject(raw) || !('bigTcp' in raw)) return raw
    const { bigTcp, limit = null, mtu = null, ...rest } = raw
    const switches = measured.map((family) => [`big-tcp-${family}`, bigTcp] as const)
    return { ...rest, settings: { ...Object.fromEntries(switches), 'size-limit': limit, 'pod-mtu': mtu } }
  }
}

/** An experiment's plan: of an event, of a step's parameters, of a profile. */
export function upgradePlan(raw: unknown): unknown {
  if (!isObject(raw) || !Array.isArray(raw['cases'])) return raw
  const measured = raw['cases'].flatMap((one: unknown) =>
    isObject(one) && typeof one['family'] === 'string' ? [one['family']] : [],
  )
  return changed(raw, 'arms', each(upgradeArm([...new Set(measured)])))
}

/** The run events whose shape changed. */
export function upgradeSettings(event: Raw): unknown {
  switch (event['type']) {
    case 'run.started':
      return changed(event, 'params', (params) => changed(params, 'plan', upgradePlan))
    case 'experiment.planned':
      return changed(event, 'plan', upgradePlan)
    default:
      return event
  }
}

/**
 * Upgrades settings. Versions 1 and 2 had a field for each of BIG TCP's settings: `bigTcp`, `limit` and `mtu` of an
 * arm, `intended`, `limit` and `mtu` of a path, `setting` and `limit` of a fingerprint.
 */
import { changed, each, isObject, type Raw } from './raw.ts'

/** An arm's `bigTcp` applied to the families that its experiment measured. */
function upgradeArm(measured: readonly string[]): (raw: unknown) => unknown {
  return (raw) => {
    if (!isObject(raw) || !('bigTcp' in raw)) return raw
    const { bigTcp, limit = null, mtu = null, ...rest } = raw
    const switches = measured.map((family) => [`big-tcp-${family}`, bigTcp] as const)
    return { ...rest, settings: { ...Object.fromEntries(switches), 'size-limit': limit, 'pod-mtu': mtu } }
  }
}

/** The plan of an experiment, in an event, in a step's parameters or in a profile. */
export function upgradePlan(raw: unknown): unknown {
  if (!isObject(raw) || !Array.isArray(raw['cases'])) return raw
  const measured = raw['cases'].flatMap((one: unknown) =>
    isObject(one) && typeof one['family'] === 'string' ? [one['family']] : [],
  )
  return changed(raw, 'arms', each(upgradeArm([...new Set(measured)])))
}

/** BIG TCP's `{ipv4, ipv6}` by setting id. */
function byFamily(raw: unknown): Raw {
  const setting = isObject(raw) ? raw : {}
  return { 'big-tcp-ipv4': setting['ipv4'], 'big-tcp-ipv6': setting['ipv6'] }
}

function upgradeAgent(raw: unknown): unknown {
  if (!isObject(raw) || !('setting' in raw)) return raw
  const { setting, ...rest } = raw
  return { ...rest, settings: setting === null ? null : byFamily(setting) }
}

function upgradePath(raw: unknown): unknown {
  if (!isObject(raw) || !('intended' in raw)) return raw
  const { intended, limit = null, mtu = null, ...rest } = raw
  const settings = { ...byFamily(intended), 'size-limit': limit, 'pod-mtu': mtu }
  return changed({ ...rest, settings }, 'agents', each(upgradeAgent))
}

/** A fingerprint's `mtu` is the MTU that was read from the pods. The requested MTU was not recorded. */
function upgradeFingerprint(raw: unknown): unknown {
  if (!isObject(raw) || !('setting' in raw)) return raw
  const { setting, limit = null, ...rest } = raw
  return { ...rest, settings: { ...byFamily(setting), 'size-limit': limit } }
}

/** The run events whose shape has changed. */
export function upgradeSettings(event: Raw): unknown {
  switch (event['type']) {
    case 'run.started':
      return changed(event, 'params', (params) => changed(params, 'plan', upgradePlan))
    case 'experiment.planned':
      return changed(event, 'plan', upgradePlan)
    case 'datapath.read':
      return changed(event, 'datapath', upgradePath)
    case 'measurement.taken':
      return changed(event, 'measurement', (one) => changed(one, 'fingerprint', upgradeFingerprint))
    default:
      return event
  }
}

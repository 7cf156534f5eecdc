/** Sets and reads settings of the workload's pods with a feature's own commands, for settings that no testbed knows. */
import { findSetting } from '@expresslane/shared/features/settings'
import type { SettingValue, Settings } from '@expresslane/shared/measure/settings'
import type { Placement } from '@expresslane/shared/testbed/placement'
import type { DatapathState } from '@expresslane/shared/testbed/reading'
import { LabError } from '@expresslane/shared/wire/errors'
import { collect } from '../benchmarks/collect.ts'
import type { CallContext, Testbed } from '../testbeds/testbed.ts'
import type { Pods, ServerFeature, SettingDriver } from './feature.ts'
import { serverFeatures } from './registry.ts'

const all: readonly ServerFeature[] = serverFeatures
const known: readonly SettingDriver[] = all.flatMap(({ drivers }) => drivers)

/** Is this setting set by a feature's commands? */
export function isDriven(setting: string): boolean {
  return known.some((one) => one.setting === setting)
}

/** The last request and its incarnation: a rebuilt testbed does not have these settings. */
interface Asked {
  readonly incarnation: string
  readonly settings: Settings
}

/**
 * A testbed that also sets these settings. They belong to pods: the requested values are set in the next pods that are
 * created, and the values of the existing pods are read back ({@link DatapathState.carried}).
 */
export function withDrivers(testbed: Testbed, drivers: readonly SettingDriver[] = known): Testbed {
  if (drivers.length === 0) return testbed
  const off: Settings = Object.fromEntries(drivers.map(({ setting }) => [setting, findSetting(setting)?.off ?? null]))
  let asked: Asked | null = null

  async function settingsAsked(context: CallContext): Promise<Settings> {
    const present = asked
    if (present === null) return {}
    return (await testbed.incarnation(context)) === present.incarnation ? present.settings : {}
  }

  function podsOf(placement: Placement, context: CallContext): Pods {
    return { placement, run: (target, argv) => collect(testbed, target, argv, context) }
  }

  /** Undefined if it can't be read now. */
  async function readOne(
    { read }: SettingDriver,
    pods: Pods,
    { signal }: CallContext,
  ): Promise<SettingValue | undefined> {
    try {
      return await read(pods)
    } catch (error) {
      signal.throwIfAborted()
      if (error instanceof LabError) return undefined
      throw error
    }
  }

  async function withDriven(state: DatapathState, context: CallContext): Promise<DatapathState> {
    const settings = { ...state.settings, ...off, ...(await settingsAsked(context)) }
    if (state.placement === null) return { ...state, settings }
    const pods = podsOf(state.placement, context)
    const carried: Record<string, SettingValue> = { ...state.carried }
    for (const driver of drivers) {
      const value = await readOne(driver, pods, context)
      if (value !== undefined) carried[driver.setting] = value
    }
    return { ...state, settings, carried }
  }

  return {
    ...testbed,
    read: async (context) => withDriven(await testbed.read(context), context),
    async set(settings, context) {
      const mine = ([id]: readonly [string, SettingValue]): boolean => id in off
      const entries = Object.entries(settings)
      const driven = Object.fromEntries(entries.filter(mine))
      const rest = Object.fromEntries(entries.filter((one) => !mine(one)))
      // Even without settings, a testbed's `set` can take long, because agents restart.
      const nothing = Object.keys(rest).length === 0
      const state = await (nothing ? testbed.read(context) : testbed.set(rest, context))
      const before = await settingsAsked(context)
      asked = { incarnation: await testbed.incarnation(context), settings: { ...before, ...driven } }
      return withDriven(state, context)
    },
    async deploy(workload, variant, context) {
      const placement = await testbed.deploy(workload, variant, context)
      const wanted = await settingsAsked(context)
      const pods = podsOf(placement, context)
      for (const { setting, set } of drivers) {
        const value = wanted[setting]
        if (value !== undefined) await set(value, pods)
      }
      return placement
    },
  }
}

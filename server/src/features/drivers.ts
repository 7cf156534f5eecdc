/** Sets and reads settings of the workload's pods with a feature's own commands, for settings that no testbed knows. */
import { findFeature, findSetting } from '@expresslane/shared/features/settings'
import type { SettingValue, Settings } from '@expresslane/shared/measure/settings'
import type { Placement } from '@expresslane/shared/testbed/placement'
import type { DatapathState, HookReading } from '@expresslane/shared/testbed/reading'
import { LabError } from '@expresslane/shared/wire/errors'
import { collect } from '../benchmarks/collect.ts'
import { createLock } from '../testbeds/lock.ts'
import type { Target } from '../testbeds/target.ts'
import type { CallContext, PodSetup, Testbed } from '../testbeds/testbed.ts'
import type { Answer, Pods, ServerFeature, SettingsDriver } from './feature.ts'
import { serverFeatures } from './registry.ts'

const all: readonly ServerFeature[] = serverFeatures

/** Is this setting set by a feature's commands? */
export function isDriven(setting: string): boolean {
  return all.some(({ drivers }) => drivers.some(({ settings }) => settings.includes(setting)))
}

/** The drivers of the features whose roles all have a place on a testbed. */
function driversOn({ roles }: Testbed): SettingsDriver[] {
  return all
    .filter(({ id }) => findFeature(id)?.roles.every((one) => roles.includes(one)) === true)
    .flatMap(({ drivers }) => [...drivers])
}

/** Then a testbed's `set` is not called: it can take long and need more permissions, because agents restart. */
function isEmpty(settings: Settings): boolean {
  return Object.keys(settings).length === 0
}

/** The last request and its incarnation: a rebuilt testbed does not have these settings. */
interface Asked {
  readonly incarnation: string
  readonly settings: Settings
}

function required(setup: PodSetup | null): PodSetup {
  if (setup !== null) return setup
  const message = 'This testbed can’t set up its pods for these settings.'
  throw new LabError('bad_request', message, 'Run the lab on this machine.')
}

async function askOf(testbed: Testbed, target: Target, argv: readonly string[], context: CallContext): Promise<Answer> {
  const lines: string[] = []
  let ok = false
  for await (const item of testbed.exec(target, argv, context)) {
    if (item.type === 'line') lines.push(item.text)
    else ok = item.code === 0
  }
  return { ok, lines }
}

/** The workload's pods on a testbed, to run commands in. */
export function podsOn(testbed: Testbed, placement: Placement, context: CallContext): Pods {
  const quiet: CallContext = {
    signal: context.signal,
    emit: (event) => {
      if (event.type !== 'command.output') context.emit(event)
    },
  }
  return {
    placement,
    run: (target, argv) => collect(testbed, target, argv, context),
    look: (target, argv) => collect(testbed, target, argv, quiet),
    ask: (target, argv) => askOf(testbed, target, argv, context),
    async feed(target, fed) {
      await required(testbed.setup).feed(target, fed, context)
    },
    hold: async (target, held) => required(testbed.setup).hold(target, held, context),
  }
}

/**
 * A testbed that also sets these settings. They belong to pods: the requested values are set in the next pods that are
 * created, and the values of the existing pods are read back ({@link DatapathState.carried}).
 */
export function withDrivers(testbed: Testbed, drivers: readonly SettingsDriver[] = driversOn(testbed)): Testbed {
  if (drivers.length === 0) return testbed
  const ids = drivers.flatMap(({ settings }) => settings)
  const off: Settings = Object.fromEntries(ids.map((id) => [id, findSetting(id)?.off ?? null]))
  // A reading can ping, and what it sends through half-made pods would be counted as theirs: it waits until they are set up.
  const lock = createLock()
  let asked: Asked | null = null

  async function settingsAsked(context: CallContext): Promise<Settings> {
    const present = asked
    if (present === null) return {}
    return (await testbed.incarnation(context)) === present.incarnation ? present.settings : {}
  }

  /** Null if it can't be read now. */
  async function attempt<T>(reading: Promise<T>, { signal }: CallContext): Promise<T | null> {
    try {
      return await reading
    } catch (error) {
      signal.throwIfAborted()
      if (error instanceof LabError) return null
      throw error
    }
  }

  async function withDriven(state: DatapathState, context: CallContext): Promise<DatapathState> {
    const settings = { ...state.settings, ...off, ...(await settingsAsked(context)) }
    if (state.placement === null) return { ...state, settings }
    const pods = podsOn(testbed, state.placement, context)
    const carried: Record<string, SettingValue> = { ...state.carried }
    const hooks: HookReading[] = [...state.hooks]
    for (const { read, readHooks } of drivers) {
      Object.assign(carried, await attempt(read(pods), context))
      if (readHooks === undefined) continue
      for (const hook of (await attempt(readHooks(pods), context)) ?? []) hooks.push(hook)
    }
    return { ...state, settings, carried, hooks }
  }

  /** Splits settings into those that the testbed sets and those that the features' commands set. */
  function split(settings: Settings): { rest: Settings; driven: Settings } {
    const mine = ([id]: readonly [string, SettingValue]): boolean => id in off
    const entries = Object.entries(settings)
    const rest = Object.fromEntries(entries.filter((one) => !mine(one)))
    return { rest, driven: Object.fromEntries(entries.filter(mine)) }
  }

  async function remember(driven: Settings, context: CallContext): Promise<void> {
    const before = await settingsAsked(context)
    asked = { incarnation: await testbed.incarnation(context), settings: { ...before, ...driven } }
  }

  /** Sets the requested values in new pods. */
  async function drive(placement: Placement, context: CallContext): Promise<void> {
    const wanted = await settingsAsked(context)
    const pods = podsOn(testbed, placement, context)
    for (const { settings, set } of drivers) {
      if (!settings.some((id) => id in wanted)) continue
      await set(Object.fromEntries(settings.map((id) => [id, wanted[id] ?? off[id] ?? null])), pods)
    }
  }

  const { switchAndDeploy } = testbed
  const changing: Testbed['switchAndDeploy'] =
    switchAndDeploy === null
      ? null
      : (settings, workload, variant, context) =>
          lock(context.signal, async () => {
            const { rest, driven } = split(settings)
            await remember(driven, context)
            if (isEmpty(rest)) {
              await drive(await testbed.deploy(workload, variant, context), context)
              return withDriven(await testbed.read(context), context)
            }
            const state = await switchAndDeploy(rest, workload, variant, context)
            if (state.placement !== null) await drive(state.placement, context)
            return withDriven(state, context)
          })

  return {
    ...testbed,
    read: (context) => lock(context.signal, async () => withDriven(await testbed.read(context), context)),
    set: (settings, context) =>
      lock(context.signal, async () => {
        const { rest, driven } = split(settings)
        const state = await (isEmpty(rest) ? testbed.read(context) : testbed.set(rest, context))
        await remember(driven, context)
        return withDriven(state, context)
      }),
    deploy: (workload, variant, context) =>
      lock(context.signal, async () => {
        const placement = await testbed.deploy(workload, variant, context)
        await drive(placement, context)
        return placement
      }),
    switchAndDeploy: changing,
  }
}

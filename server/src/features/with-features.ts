/**
 * The seam between features and testbeds: settings become values of a testbed's primitives, or are set and read by a feature's
 * own commands in the workload's pods.
 */
import { needing, whyLacking } from '@expresslane/shared/features/capabilities'
import type { Setting, Way } from '@expresslane/shared/features/feature'
import { allSettings, findFeature, findSetting } from '@expresslane/shared/features/settings'
import type { SettingValue, Settings } from '@expresslane/shared/base/settings'
import type { Placement } from '@expresslane/shared/testbed/placement'
import type { Values } from '@expresslane/shared/testbed/primitive'
import type { DatapathState, HookReading } from '@expresslane/shared/testbed/reading'
import { LabError } from '@expresslane/shared/base/errors'
import { createLock, type Lock } from '../testbeds/lock.ts'
import type { CallContext, Testbed } from '../testbeds/testbed.ts'
import type { PodSettings } from './feature.ts'
import { podsOn } from './pods.ts'
import { serverFeatures } from './registry.ts'

/** Is this setting set by a feature's commands? */
export function isPodSetting(setting: string): boolean {
  return serverFeatures.all().some(({ podSettings }) => podSettings.some(({ settings }) => settings.includes(setting)))
}

/** The pod settings of the features whose roles a testbed has. */
function podSettingsOn({ roles }: Testbed): PodSettings[] {
  return serverFeatures
    .all()
    .filter(({ id }) => findFeature(id)?.roles.every((one) => roles.includes(one)) === true)
    .flatMap(({ podSettings }) => [...podSettings])
}

/** Then a testbed's `set` is not called: it can take long and need more permissions, because agents restart. */
function isEmpty(values: Values): boolean {
  return Object.keys(values).length === 0
}

/** How a testbed sets a setting; undefined if it does not. */
function wayOn({ settable }: Pick<Testbed, 'settable'>, { id, ways = [] }: Setting): Way | undefined {
  return [...ways, { primitive: id }].find(({ primitive }) => settable.includes(primitive))
}

/** The primitive's value for a setting's. */
function toPrimitive({ values }: Way, value: SettingValue): SettingValue {
  const known = values?.find(([of]) => of === value)
  return known === undefined ? value : known[1]
}

/** The settings behind a testbed's values. A value that no setting has is unknown, so its setting is missing. */
function settingsIn(values: Values, testbed: Pick<Testbed, 'settable'>): Settings {
  return Object.fromEntries(
    allSettings().flatMap((setting): [string, SettingValue][] => {
      const way = wayOn(testbed, setting)
      const value = way === undefined ? undefined : values[way.primitive]
      if (value === undefined) return []
      const known = way?.values === undefined ? value : way.values.find(([, is]) => is === value)?.[0]
      return known === undefined ? [] : [[setting.id, known]]
    }),
  )
}

/** Why a testbed can't set a setting at all; null if it can, or if another of its topologies can. */
function whyNot({ primitives }: Testbed, { capability }: Setting): string | null {
  return capability === null ? null : whyLacking(capability, primitives)
}

/** The settings of features that a testbed has no way for: they are off. */
function absentOn(testbed: Testbed): Settings {
  const partly = serverFeatures.all().flatMap(({ id }) => {
    const own: readonly Setting[] = findFeature(id)?.settings ?? []
    return own.some((one) => wayOn(testbed, one) !== undefined) ? own : []
  })
  return Object.fromEntries(
    partly.flatMap((one) =>
      wayOn(testbed, one) === undefined && whyNot(testbed, one) !== null ? [[one.id, one.off] as const] : [],
    ),
  )
}

/** Settings by who sets them. */
interface Resolved {
  /** By the testbed. */
  readonly values: Values
  /** By the features' commands, in the next pods. */
  readonly ofPods: Settings
}

/**
 * Refuses settings that a testbed does not have. Ignoring a setting would measure an arm that is not what its name says.
 *
 * @throws LabError `bad_request` for an unknown setting, and for a setting that is not off and that the testbed can't set
 */
function resolve(settings: Settings, testbed: Testbed, inPods: Settings): Resolved {
  const values: Record<string, SettingValue> = {}
  const ofPods: Record<string, SettingValue> = {}
  for (const [id, value] of Object.entries(settings)) {
    const setting = findSetting(id)
    const way = setting === undefined ? undefined : wayOn(testbed, setting)
    if (id in inPods) ofPods[id] = value
    else if (way !== undefined) values[way.primitive] = toPrimitive(way, value)
    else {
      const reason = setting === undefined ? null : whyNot(testbed, setting)
      if (reason === null) throw foreign(id, testbed, inPods)
      if (value !== setting?.off)
        throw new LabError('bad_request', reason, 'Leave it out, or choose this machine as the testbed.')
    }
  }
  return { values, ofPods }
}

function foreign(id: string, testbed: Testbed, inPods: Settings): LabError {
  const known = allSettings().filter((one) => one.id in inPods || wayOn(testbed, one) !== undefined)
  return new LabError(
    'bad_request',
    `This testbed has no setting “${id}”.`,
    `Leave it out. The testbed's settings are ${known.map((one) => one.id).join(', ')}.`,
  )
}

/** The settings of the next pods that were asked for last, and their incarnation: a rebuilt testbed does not have them. */
interface NextPods {
  readonly incarnation: string
  readonly settings: Settings
}

/**
 * A testbed with the features' settings. The settings that their commands set belong to pods: they are set in
 * the next pods that are created, and the values of the existing pods are read back ({@link DatapathState.carried}).
 */
export function withFeatures(testbed: Testbed, podSettings: readonly PodSettings[] = podSettingsOn(testbed)): Testbed {
  const ids = podSettings.flatMap(({ settings }) => settings)
  const off: Settings = Object.fromEntries(ids.map((id) => [id, findSetting(id)?.off ?? null]))
  const absent = absentOn(testbed)
  // A reading can ping, and its packets through half-made pods would be counted as theirs: it waits until they are set
  // up.
  const lock: Lock = podSettings.length === 0 ? (_signal, work) => work() : createLock()
  let next: NextPods | null = null

  async function settingsOfNext(context: CallContext): Promise<Settings> {
    const present = next
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

  /** The features' settings in a reading of the testbed's values, with the settings that only the pods have. */
  async function asSettings(state: DatapathState, context: CallContext): Promise<DatapathState> {
    const named = (values: Values): Settings => settingsIn(values, testbed)
    const settings = { ...named(state.settings), ...absent, ...off, ...(await settingsOfNext(context)) }
    const agents =
      state.agents?.map((one) => ({ ...one, settings: one.settings === null ? null : named(one.settings) })) ?? null
    const carried: Record<string, SettingValue> = { ...named(state.carried) }
    const hooks: HookReading[] = [...state.hooks]
    const known = { ...state, settings, agents, carried, hooks }
    if (state.placement === null) return known
    const pods = podsOn(testbed, state.placement, context)
    for (const { read, readHooks } of podSettings) {
      Object.assign(carried, await attempt(read(pods), context))
      if (readHooks === undefined) continue
      for (const hook of (await attempt(readHooks(pods), context)) ?? []) hooks.push(hook)
    }
    return known
  }

  async function remember(ofPods: Settings, context: CallContext): Promise<void> {
    if (isEmpty(ofPods)) return
    const before = await settingsOfNext(context)
    next = { incarnation: await testbed.incarnation(context), settings: { ...before, ...ofPods } }
  }

  /** Sets the settings of new pods. */
  async function setUp(placement: Placement, context: CallContext): Promise<void> {
    const ofPods = await settingsOfNext(context)
    const pods = podsOn(testbed, placement, context)
    for (const { settings, set } of podSettings) {
      if (!settings.some((id) => id in ofPods)) continue
      await set(Object.fromEntries(settings.map((id) => [id, ofPods[id] ?? off[id] ?? null])), pods)
    }
  }

  const { switchAndDeploy } = testbed
  const changing: Testbed['switchAndDeploy'] =
    switchAndDeploy === null
      ? null
      : (settings, workload, variant, context) =>
          lock(context.signal, async () => {
            const { values, ofPods } = resolve(settings, testbed, off)
            await remember(ofPods, context)
            if (isEmpty(values)) {
              await setUp(await testbed.deploy(workload, variant, context), context)
              return asSettings(await testbed.read(context), context)
            }
            const state = await switchAndDeploy(values, workload, variant, context)
            if (state.placement !== null) await setUp(state.placement, context)
            return asSettings(state, context)
          })

  return {
    ...testbed,
    choices: new Map(
      allSettings().flatMap((one) => {
        const offered = testbed.choices.get(wayOn(testbed, one)?.primitive ?? '')
        return offered === undefined ? [] : [[one.id, offered] as const]
      }),
    ),
    async *preflight(context, tries) {
      for await (const check of testbed.preflight(context, tries)) {
        const { blocks } = check
        yield typeof blocks === 'string' ? check : { ...check, blocks: needing(blocks) }
      }
    },
    read: (context) => lock(context.signal, async () => asSettings(await testbed.read(context), context)),
    set: (settings, context) =>
      lock(context.signal, async () => {
        const { values, ofPods } = resolve(settings, testbed, off)
        const state = await (isEmpty(values) ? testbed.read(context) : testbed.set(values, context))
        await remember(ofPods, context)
        return asSettings(state, context)
      }),
    deploy: (workload, variant, context) =>
      lock(context.signal, async () => {
        const placement = await testbed.deploy(workload, variant, context)
        await setUp(placement, context)
        return placement
      }),
    switchAndDeploy: changing,
  }
}

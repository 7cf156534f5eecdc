/**
 * The differences between the kinds of actions: a new kind is an entry here, and its implementation in
 * `server/src/runs/actions`. Other code asks for a property instead of a kind. Pure.
 */
import { i18n } from '../base/language.ts'
import type { ArmPlan, TestCase } from '../measure/experiment.ts'
import type { Capability } from '../testbed/testbed.ts'
import type { Diagram } from './diagram.ts'
import { armOf, type Action, type Lab, type Step } from './lab.ts'

export interface ActionProperties {
  /** The resources that it takes from all other runs; null if it only needs its testbed. */
  readonly use: 'changing' | 'measuring' | null
  /** With the parameter `switchOff`, it changes the settings, too. */
  readonly canSwitchOff: boolean
  /** The action changes the settings, or restores them. */
  readonly changesSettings: boolean
  /** The effect on the testbed that later steps need and a rebuilt testbed has lost; null for none. */
  readonly leaves: 'pods' | 'settings' | null
  /** The action needs the pods that an earlier step left. */
  readonly needsPods: boolean
  /** The action removes the effects of earlier steps. */
  readonly restores: boolean
  /** Its result says whether an arm is faster, slower or no different. */
  readonly compares: 'own' | 'earlier' | null
  /** The reading at its end is a part of its result. */
  readonly showsReading: boolean
  /** The step is left out where the testbed can't do the action, so a lab does not need the action's arms. */
  readonly canBeLeftOut: boolean
  /** For a person who does the step by hand; null if the action only looks. */
  readonly byHand: ByHand | null
  /** The capability that it needs besides the needs of its arms and tools; null for none. */
  readonly needs: Capability | null
}

export interface ByHand {
  /** The datapath shows whether it is done. Otherwise the person gets figures, which are no repeats. */
  readonly isChecked: boolean
  /** In sentences. @param arm the arm of the action in words */
  readonly goal: (arm: string) => string
}

const measured: ByHand = {
  isChecked: false,
  goal: () =>
    i18n.t(
      'Measure it yourself. Your figures are shown here and are no repeats: the verdict is about the measurements of the button alone.',
    ),
}

function checked(goal: ByHand['goal']): ByHand {
  return { isChecked: true, goal }
}

const plain: ActionProperties = {
  use: null,
  canSwitchOff: false,
  changesSettings: false,
  leaves: null,
  needsPods: false,
  restores: false,
  compares: null,
  showsReading: false,
  canBeLeftOut: false,
  byHand: null,
  needs: null,
}

const kinds: Readonly<Record<Action['kind'], ActionProperties>> = {
  preflight: plain,
  verify: { ...plain, canSwitchOff: true, showsReading: true },
  deploy: {
    ...plain,
    use: 'changing',
    leaves: 'pods',
    byHand: checked((arm) =>
      i18n.t(
        'Give the pods the settings of {arm}. The check reads the pods’ devices, and it does not matter how you set them.',
        { arm },
      ),
    ),
  },
  read: { ...plain, needsPods: true, showsReading: true },
  measure: { ...plain, use: 'measuring', needsPods: true, byHand: measured },
  switch: {
    ...plain,
    use: 'changing',
    changesSettings: true,
    leaves: 'settings',
    showsReading: true,
    byHand: checked((arm) =>
      i18n.t('Set the nodes to {arm}. The check reads every device, and it does not matter how you set it.', { arm }),
    ),
  },
  compare: { ...plain, compares: 'earlier' },
  experiment: { ...plain, use: 'measuring', changesSettings: true, compares: 'own', byHand: measured },
  capture: { ...plain, use: 'measuring', changesSettings: true, needs: 'capture', byHand: measured },
  probe: { ...plain, use: 'changing', changesSettings: true, canBeLeftOut: true, byHand: measured },
  restore: {
    ...plain,
    use: 'changing',
    changesSettings: true,
    restores: true,
    showsReading: true,
    byHand: checked(() =>
      i18n.t(
        'Set the nodes as they were before the lab. The check reads every device, removes the pods, and undoes everything else that was changed.',
      ),
    ),
  },
}

/** @param action null for a step that is only read: it does nothing */
export function actionProperties(action: Action | null | undefined): ActionProperties {
  return action === null || action === undefined ? plain : kinds[action.kind]
}

/** Whether the action changes the settings with these parameters. */
export function changesSettings(action: Action | null, { switchOff }: { readonly switchOff?: boolean | undefined }) {
  const { canSwitchOff, changesSettings: always } = actionProperties(action)
  return always || (canSwitchOff && switchOff === true)
}

/** The diagram of a step. A step that switches the setting has the diagram of an earlier step, unless it has its own. */
export function diagramOf({ steps }: Pick<Lab, 'steps'>, index: number): Diagram | null {
  const { diagram = null, action } = steps[index] ?? {}
  if (diagram !== null || actionProperties(action).leaves !== 'settings') return diagram
  return steps.slice(0, index).findLast((one) => one.diagram !== null)?.diagram ?? null
}

/** An action that measures: it has a number of repeats and their length. */
export type Measuring = Extract<Action, { readonly repeats: unknown }>
/** An action that sets the path to each arm of a plan and measures it. */
export type Experiment = Extract<Action, { readonly plan: unknown }>

/** An action that measures one arm on the path that earlier steps have set. */
export type OneArm = Exclude<Measuring, Experiment>

/** Null for a step that does not measure. */
export function measuringOf({ action }: Pick<Step, 'action'>): Measuring | null {
  return action !== null && 'repeats' in action ? action : null
}

/** Null for a step that is no experiment. */
export function experimentOf({ action }: Pick<Step, 'action'>): Experiment | null {
  return action !== null && 'plan' in action ? action : null
}

/** The lab's arms that steps measure one by one, on the path that earlier steps have set; in the lab's order. */
export function armsOfSteps(lab: Pick<Lab, 'id' | 'arms' | 'steps'>): ArmPlan[] {
  const named = lab.steps.flatMap(({ action }) => (action !== null && 'case' in action ? [armOf(lab, action.arm)] : []))
  return lab.arms.filter((arm) => named.includes(arm))
}

/**
 * The step whose question a person can still guess at before this step's measurement: its own, or that of the step which
 * compares the measurements that begin here. Null for none.
 */
export function questionAt({ steps }: Pick<Lab, 'steps'>, at: Step): Step | null {
  if (measuringOf(at) === null) return null
  if (experimentOf(at) !== null || at.question !== null) return at.question === null ? null : at
  const first = steps.find((step) => measuringOf(step) !== null && experimentOf(step) === null)
  const compares = steps.find(
    ({ action, question }) => question !== null && actionProperties(action).compares === 'earlier',
  )
  return first?.id === at.id ? (compares ?? null) : null
}

/** The position of a part in its action. */
export type ActionPath = readonly (string | number)[]

/** The cases that an action measures, with their positions in it. */
export function casesIn(action: Action): { readonly of: TestCase; readonly path: ActionPath }[] {
  if ('case' in action) return [{ of: action.case, path: ['case'] }]
  const { cases = [] } = 'plan' in action ? (action.plan ?? {}) : {}
  return cases.map((of, index) => ({ of, path: ['plan', 'cases', index] }))
}

const fields = { arm: 'arm', nodes: 'arm', pods: 'arm', arms: 'arm', family: 'family', probe: 'probe' } as const

/** A word of an action that names a part of its lab or of the lab's feature. */
export interface Named {
  readonly what: (typeof fields)[keyof typeof fields]
  readonly word: string
  readonly path: ActionPath
}

/** The arms, families and probes that an action names, with their positions in it. A plan has its arms itself. */
export function namesIn(action: Action): Named[] {
  const given: Readonly<Record<string, unknown>> = action
  const own = Object.entries(fields).flatMap(([field, what]): Named[] => {
    const value = given[field]
    if (typeof value === 'string') return [{ what, word: value, path: [field] }]
    return Array.isArray(value) ? value.map((word, index) => ({ what, word: String(word), path: [field, index] })) : []
  })
  const families = casesIn(action).map(({ of, path }): Named => ({
    what: 'family',
    word: of.family,
    path: [...path, 'family'],
  }))
  return [...own, ...families]
}

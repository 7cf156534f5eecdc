/** Checks that the parts of a lab fit together. */
import { knownCapabilities } from '@expresslane/shared/features/capabilities'
import type { Feature, Probe } from '@expresslane/shared/features/feature'
import { features } from '@expresslane/shared/features/registry'
import { allBenchmarks, findTool } from '@expresslane/shared/features/metrics'
import { capabilitiesFor, findFeature, settingIssues, settingsFor } from '@expresslane/shared/features/settings'
import { actionProperties, casesIn, experimentOf, namesIn } from '@expresslane/shared/labs/actions'
import type { Action, Lab } from '@expresslane/shared/labs/lab'
import type { Capability } from '@expresslane/shared/testbed/testbed'
import { checked } from './explain.ts'
import type { Located, Path } from './located-yaml.ts'
import { expectedOneOf } from './nearest.ts'
import { flaw, unlessFlawed, type Flaw } from './place.ts'
import type { ReadStep } from './step.ts'

/** A word that must be one of the known words, and its position. */
interface Reference {
  readonly path: Path
  readonly what: string
  readonly word: string
  readonly known: readonly string[]
}

function probesOf({ feature }: Lab): readonly Probe[] {
  return findFeature(feature)?.probes ?? []
}

/** The arms, families and probes that an action names. */
function referencesOf(action: Action, lab: Lab): Reference[] {
  const known = {
    arm: { what: 'arm', known: lab.arms.map(({ id }) => id) },
    family: { what: 'family of this lab', known: lab.families },
    probe: { what: `probe of ${lab.feature}`, known: probesOf(lab).map(({ id }) => id) },
  }
  return namesIn(action).map(({ what, word, path }) => ({ path, word, ...known[what] }))
}

function checkReferences(references: readonly Reference[], yaml: Located, flaws: Flaw[]): void {
  for (const { path, what, word, known } of references) {
    if (known.includes(word)) continue
    flaws.push(flaw(yaml.placeOf(path), `there is no ${what} "${word}": ${expectedOneOf(word, known)}`))
  }
}

function checkSettings(lab: Lab, feature: Feature, yaml: Located, flaws: Flaw[]): void {
  const known = feature.settings.map(({ id }) => id)
  lab.arms.forEach(({ settings }, index) => {
    const path = ['arms', index, 'settings']
    for (const { id, message } of settingIssues(settings, feature)) {
      flaws.push(
        known.includes(id)
          ? flaw(yaml.placeOf([...path, id]), `"${id}": ${message}`)
          : flaw(yaml.placeOfKey(path, id), `there is no setting "${id}": ${expectedOneOf(id, known)}`),
      )
    }
  })
}

function checkBenchmarks(action: Action, yaml: Located, flaws: Flaw[]): void {
  const known = allBenchmarks().map(({ tool }) => tool)
  for (const { of: measured, path: at } of casesIn(action)) {
    const [of, path] = [measured.benchmark, [...at, 'benchmark']]
    const kind = findTool(of.tool)
    if (kind === null) {
      checkReferences([{ path: [...path, 'tool'], what: 'tool', word: of.tool, known }], yaml, flaws)
      continue
    }
    const result = checked(kind.schema, of, {
      ...yaml,
      placeOf: (inside) => yaml.placeOf([...path, ...inside]),
      placeOfKey: (inside, key) => yaml.placeOfKey([...path, ...inside], key),
    })
    unlessFlawed(result, flaws)
  }
}

/** A testbed can choose the shortest run, so that has to be whole, too, where a tool knows whole seconds only. */
function checkSeconds(action: Action, yaml: Located, flaws: Flaw[]): void {
  if (!('seconds' in action)) return
  const { seconds } = action
  const whole = casesIn(action)
    .flatMap(({ of }) => findTool(of.benchmark.tool) ?? [])
    .find((one) => one.wholeSeconds)
  if (whole === undefined) return
  for (const field of ['default', 'min'] as const) {
    if (Number.isInteger(seconds[field])) continue
    const message = `"seconds": expected a whole number of seconds, because ${whole.name} measures whole seconds only`
    flaws.push(flaw(yaml.placeOf(['seconds', field]), message))
  }
}

/** The capabilities of the arms that steps name. Steps can't do without them, apart from steps that can be left out. */
function neededForSteps({ arms: known, steps, families }: Lab): Capability[] {
  const required = steps.flatMap(({ action }) =>
    action === null || actionProperties(action).canBeLeftOut ? [] : namesIn(action),
  )
  const named = new Set(required.flatMap(({ what, word }) => (what === 'arm' ? [word] : [])))
  return known
    .filter(({ id }) => named.has(id))
    .flatMap(({ settings }) => capabilitiesFor(settingsFor(settings, families)))
}

/** The capabilities of the arms of experiments, and of probes. */
function neededForPlans(lab: Lab): Capability[] {
  const { arms: known, steps, families } = lab
  const plans = steps.flatMap((step) => experimentOf(step)?.plan ?? [])
  const sides = [...known, ...plans.flatMap(({ arms: planned, cases }) => [...planned, ...cases])]
  const named = steps.flatMap(({ action }) => (action === null ? [] : namesIn(action)))
  const probed = probesOf(lab).filter(({ id }) => named.some(({ what, word }) => what === 'probe' && word === id))
  const needs = sides.flatMap(({ settings = {} }) => capabilitiesFor(settingsFor(settings, families)))
  return [...needs, ...probed.flatMap((one) => one.needs)]
}

/**
 * A lab must list the capabilities that its arms and tools need. Otherwise it starts where it can't run. A capability
 * that only some arms of its experiments need can be optional.
 */
function checkNeeds(lab: Lab, frontMatter: Located, flaws: Flaw[]): void {
  const cases = lab.steps.flatMap(({ action }) => (action === null ? [] : casesIn(action)))
  const always = new Set([
    ...neededForSteps(lab),
    ...cases.flatMap(({ of }) => findTool(of.benchmark.tool)?.capability ?? []),
    ...lab.steps.flatMap(({ action }) => actionProperties(action).needs ?? []),
  ])
  for (const need of new Set([...always, ...neededForPlans(lab)])) {
    if (lab.needs.includes(need) || (lab.optional.includes(need) && !always.has(need))) continue
    flaws.push(
      flaw(frontMatter.placeOf(['needs']), `"needs": expected "${need}" in the list, because an arm or a step uses it`),
    )
  }
}

/**
 * Checks that the feature exists, that the arms use its settings, and that the actions use the lab's arms, families and
 * tools.
 */
export function crossCheck(lab: Lab, frontMatter: Located, steps: readonly ReadStep[], flaws: Flaw[]): void {
  const known = features.all().map(({ id }): string => id)
  const needs = (['needs', 'optional'] as const).flatMap((field) =>
    lab[field].map((word, index) => ({ path: [field, index], what: 'capability', word, known: knownCapabilities() })),
  )
  checkReferences([{ path: ['feature'], what: 'feature', word: lab.feature, known }, ...needs], frontMatter, flaws)
  const feature = findFeature(lab.feature)
  if (feature !== undefined) checkSettings(lab, feature, frontMatter, flaws)
  checkNeeds(lab, frontMatter, flaws)
  for (const { step, yaml } of steps) {
    if (step.action === null || yaml === null) continue
    checkReferences(referencesOf(step.action, lab), yaml, flaws)
    checkBenchmarks(step.action, yaml, flaws)
    checkSeconds(step.action, yaml, flaws)
  }
}

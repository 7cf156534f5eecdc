/** Checks that the parts of a lab fit together. */
import { knownCapabilities } from '@expresslane/shared/features/capabilities'
import type { Feature, Probe } from '@expresslane/shared/features/feature'
import { features } from '@expresslane/shared/features/registry'
import { allBenchmarks, findTool } from '@expresslane/shared/features/metrics'
import { capabilitiesFor, findFeature, settingIssues, settingsFor } from '@expresslane/shared/features/settings'
import { armsNamed, type Action, type Lab } from '@expresslane/shared/labs/lab'
import type { Benchmark } from '@expresslane/shared/measure/benchmark'
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

function arms(lab: Lab, ...named: readonly (readonly [Path, string])[]): Reference[] {
  const known = lab.arms.map(({ id }) => id)
  return named.map(([path, word]) => ({ path, what: 'arm', word, known }))
}

function family(lab: Lab, path: Path, word: string): Reference {
  return { path, what: 'family of this lab', word, known: lab.families }
}

function probesOf({ feature }: Lab): readonly Probe[] {
  return findFeature(feature)?.probes ?? []
}

/** The arms, families and probes that an action names. */
function referencesOf(action: Action, lab: Lab): Reference[] {
  switch (action.kind) {
    case 'verify':
    case 'deploy':
    case 'switch':
      return arms(lab, [['arm'], action.arm])
    case 'read':
      return arms(lab, [['nodes'], action.nodes], [['pods'], action.pods])
    case 'measure':
      return [...arms(lab, [['arm'], action.arm]), family(lab, ['case', 'family'], action.case.family)]
    case 'capture':
      return [...arms(lab, [['arm'], action.arm]), family(lab, ['family'], action.family)]
    case 'experiment':
      return (action.plan?.cases ?? []).map((one, index) => family(lab, ['plan', 'cases', index, 'family'], one.family))
    case 'probe':
      return [
        ...action.arms.flatMap((arm, index) => arms(lab, [['arms', index], arm])),
        {
          path: ['probe'],
          what: `probe of ${lab.feature}`,
          word: action.probe,
          known: probesOf(lab).map(({ id }) => id),
        },
      ]
    case 'preflight':
    case 'compare':
    case 'restore':
      return []
  }
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

/** Tools, with the path of each benchmark within its action. */
function benchmarksOf(action: Action): { readonly of: Benchmark; readonly path: Path }[] {
  if (action.kind === 'measure') return [{ of: action.case.benchmark, path: ['case', 'benchmark'] }]
  if (action.kind !== 'experiment') return []
  return (action.plan?.cases ?? []).map(({ benchmark }, index) => ({
    of: benchmark,
    path: ['plan', 'cases', index, 'benchmark'],
  }))
}

function checkBenchmarks(action: Action, yaml: Located, flaws: Flaw[]): void {
  const known = allBenchmarks().map(({ tool }) => tool)
  for (const { of, path } of benchmarksOf(action)) {
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

/** What the actions need that set one arm each. They can't do without it; a probe is left out where it can't be done. */
function neededForSteps({ arms: known, steps, families }: Lab): Capability[] {
  const set = steps.flatMap(({ action }) => (action === null || action.kind === 'probe' ? [] : armsNamed(action)))
  const named = new Set(set)
  return known
    .filter(({ id }) => named.has(id))
    .flatMap(({ settings }) => capabilitiesFor(settingsFor(settings, families)))
}

/** What the arms of experiments need, and what probes need. */
function neededForPlans(lab: Lab): Capability[] {
  const { arms: known, steps, families } = lab
  const plans = steps.flatMap(({ action }) => (action?.kind === 'experiment' ? (action.plan ?? []) : []))
  const sides = [...known, ...plans.flatMap(({ arms: planned, cases }) => [...planned, ...cases])]
  const probed = probesOf(lab).filter(({ id }) =>
    steps.some(({ action }) => action?.kind === 'probe' && action.probe === id),
  )
  const needs = sides.flatMap(({ settings = {} }) => capabilitiesFor(settingsFor(settings, families)))
  return [...needs, ...probed.flatMap((one) => one.needs)]
}

/**
 * A lab must list the capabilities that its arms and tools need. Otherwise it starts where it can't run. Those that only
 * some arms of its experiments need can be optional.
 */
function checkNeeds(lab: Lab, frontMatter: Located, flaws: Flaw[]): void {
  const tools = lab.steps.flatMap(({ action }) => (action === null ? [] : benchmarksOf(action)))
  const always = new Set([
    ...neededForSteps(lab),
    ...tools.flatMap(({ of }) => findTool(of.tool)?.capability ?? []),
    ...(lab.steps.some(({ action }) => action?.kind === 'capture') ? ['capture'] : []),
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
  }
}

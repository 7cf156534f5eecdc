/** Checks a lab against the features: where a lab is read from a file. The page trusts the labs of its server. */
import { benchmarkIssues } from '../features/metrics.ts'
import { findFeature, settingIssues } from '../features/settings.ts'
import type { ArmPlan } from '../measure/experiment.ts'
import { casesIn, experimentOf, namesIn } from './actions.ts'
import { lab } from './lab.ts'

/** A lab of which every feature, setting, tool and arm exists, with values that they accept. */
export const checkedLab = lab.superRefine(({ feature: id, arms, steps }, context) => {
  const wrong = (path: (string | number)[], message: string): void =>
    context.addIssue({ code: 'custom', path, message })
  const feature = findFeature(id)
  if (feature === undefined) return wrong(['feature'], `there is no feature “${id}”`)
  const check = (of: readonly Pick<ArmPlan, 'settings'>[], path: (string | number)[]): void => {
    for (const [index, { settings }] of of.entries()) {
      for (const issue of settingIssues(settings, feature)) {
        wrong([...path, index, 'settings', issue.id], issue.message)
      }
    }
  }
  check(arms, ['arms'])
  for (const [index, step] of steps.entries()) {
    const does = step.action
    if (does === null) continue
    const at = (path: readonly (string | number)[]): (string | number)[] => ['steps', index, 'action', ...path]
    for (const { what, word, path } of namesIn(does)) {
      if (what === 'arm' && !arms.some((arm) => arm.id === word)) {
        wrong(at([]), `the lab has no arm “${word}”; its arms are ${arms.map((arm) => arm.id).join(', ')}`)
      }
      if (what === 'probe' && feature.probes?.some(({ id: known }) => known === word) !== true) {
        wrong(at(path), `the feature ${id} has no probe “${word}”`)
      }
    }
    for (const { of, path } of casesIn(does)) {
      for (const issue of benchmarkIssues(of.benchmark)) {
        wrong(at([...path, 'benchmark', ...issue.path.map(String)]), issue.message)
      }
    }
    const plan = experimentOf(step)?.plan ?? null
    if (plan === null) continue
    check(plan.arms, at(['plan', 'arms']))
    check(
      plan.cases.map(({ settings = {} }) => ({ settings })),
      at(['plan', 'cases']),
    )
  }
})

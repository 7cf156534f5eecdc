/** Checks a lab against the features: where a lab is read from a file. The page trusts the labs of its server. */
import { benchmarkIssues } from '../features/metrics.ts'
import { findFeature, settingIssues } from '../features/settings.ts'
import type { ArmPlan, TestCase } from '../measure/experiment.ts'
import { armsNamed, lab } from './lab.ts'

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
  const checkCases = (of: readonly TestCase[], path: (string | number)[]): void => {
    for (const [index, { benchmark }] of of.entries()) {
      for (const issue of benchmarkIssues(benchmark)) {
        wrong([...path, index, 'benchmark', ...issue.path.map(String)], issue.message)
      }
    }
  }
  check(arms, ['arms'])
  for (const [index, { action: does }] of steps.entries()) {
    if (does === null) continue
    for (const named of armsNamed(does)) {
      if (arms.some((arm) => arm.id === named)) continue
      const known = arms.map((arm) => arm.id).join(', ')
      wrong(['steps', index, 'action'], `the lab has no arm “${named}”; its arms are ${known}`)
    }
    if (does.kind === 'probe' && feature.probes?.some(({ id: known }) => known === does.probe) !== true) {
      wrong(['steps', index, 'action', 'probe'], `the feature ${id} has no probe “${does.probe}”`)
    }
    if (does.kind === 'measure') checkCases([does.case], ['steps', index, 'action', 'case'])
    if (does.kind === 'experiment' && does.plan !== null) {
      check(does.plan.arms, ['steps', index, 'action', 'plan', 'arms'])
      check(
        does.plan.cases.map(({ settings = {} }) => ({ settings })),
        ['steps', index, 'action', 'plan', 'cases'],
      )
      checkCases(does.plan.cases, ['steps', index, 'action', 'plan', 'cases'])
    }
  }
})

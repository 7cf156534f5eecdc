import { chosenFor, testbedFor } from '@expresslane/shared/features/topology'
import { opinionPlan } from '@expresslane/shared/labs/on-testbed'
import { fits, secondsOfPlan, type Fit } from '@expresslane/shared/labs/planned'
import type { ExperimentPlan } from '@expresslane/shared/measure/experiment'
import type { RunState } from '@expresslane/shared/run/run-state'
import { opinionOn, thisMachine, type TestbedId } from '@expresslane/shared/testbed/id'
import { useState } from 'react'
import { useMostSeconds, useTestbed } from '../api/queries.ts'
import { choiceOf, draftOf, type BenchChoice } from './form/choice.ts'
import { firstPreset } from './form/presets.ts'

/** The experiment in the form: the shown run's, or else the first preset, with what was changed since. */
export function useDraft(run: RunState | null, offered: readonly TestbedId[]) {
  const [picked, pick] = useState<TestbedId | null>(null)
  const [changed, change] = useState<BenchChoice | null>(null)
  const [asked, askOpinion] = useState<boolean | null>(null)
  const [toProfile, askProfile] = useState<boolean | null>(null)
  const shownPlan = run?.params.plan ?? run?.plan ?? null
  const choice = changed ?? (shownPlan === null ? firstPreset().choice : choiceOf(shownPlan))
  const chosen = chosenFor(picked ?? run?.testbed ?? offered[0] ?? thisMachine)
  const testbed = testbedFor(choice.feature, chosen)
  const view = useTestbed(testbed).data ?? null
  const { plan, issues } = draftOf(choice, view)
  const most = useMostSeconds()
  const opinionFit = plan === null ? null : fitIn(opinionPlan(plan), most)
  const wantsOpinion = (asked ?? run?.params.opinion ?? false) && opinionOn(testbed) !== null
  return {
    /** The testbed as the person chose it; the experiment runs on `testbed`, in the topology of its feature. */
    chosen,
    pick,
    choice,
    change,
    fromRun: shownPlan !== null,
    testbed,
    /** Null before the testbed is read. */
    view,
    /** Null while the form has `issues`. */
    plan,
    issues,
    fit: plan === null ? null : fitIn(plan, most),
    opinionFit,
    opinion: wantsOpinion && (opinionFit === null || fits(opinionFit)),
    askOpinion,
    profile: (toProfile ?? run?.params.profile ?? false) && view?.capabilities.includes('profile') === true,
    askProfile,
  }
}

export type Draft = ReturnType<typeof useDraft>

/** The seconds that a plan takes and may take; null if nothing limits them. */
function fitIn(plan: ExperimentPlan, most: number | null): Fit | null {
  return most === null ? null : { planned: secondsOfPlan(plan), allowed: most }
}

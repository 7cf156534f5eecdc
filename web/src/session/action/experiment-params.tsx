import { Trans } from '#language'
import { clockOf } from '@expresslane/shared/measure/clock'
import type { Design, LeftOutArm } from '@expresslane/shared/measure/experiment'
import { possiblePlan } from '@expresslane/shared/features/plan'
import type { Experiment } from '@expresslane/shared/labs/actions'
import type { Lab, StepParams } from '@expresslane/shared/labs/lab'
import { planWith, type Fit } from '@expresslane/shared/labs/planned'
import type { TestbedId } from '@expresslane/shared/testbed/id'
import { useTestbed } from '../../api/queries.ts'
import { whyLacking } from '../../words/testbeds.ts'
import {
  CommonSettings,
  DesignFields,
  estimateWords,
  LeftOut,
  OpinionChoice,
  ProfileChoice,
} from '../../experiment/index.ts'
import classes from './step-action.module.css'

interface ExperimentParamsProps {
  action: Experiment
  testbed: TestbedId
  /** The lab's feature. */
  feature: string
  /** The capabilities that the lab needs, and the capabilities that its experiments can do without. */
  lab: Pick<Lab, 'needs' | 'optional'>
  params: StepParams
  /** How long its second opinion measures, and how long it can; null if nothing limits it. */
  opinion: Fit | null
  onChange: (params: StepParams) => void
  disabled: boolean
  /** The arms of which the latest result says that they were left out. */
  known: readonly LeftOutArm[]
}

/** The design of a lab's experiment, which can be changed within the lab's bounds, and its expected duration. */
export function ExperimentParams({
  action,
  testbed,
  feature,
  lab,
  params,
  opinion,
  onChange,
  disabled,
  known,
}: ExperimentParamsProps) {
  const { data } = useTestbed(testbed)
  if (action.plan === null) return null
  const quickSwitch = data?.capabilities.includes('quick-switch') ?? false
  const clock = clockOf(data ?? null)
  const asked = planWith(action, params) ?? action.plan
  const { plan, leftOut } =
    data === undefined || data === null
      ? { plan: asked, leftOut: [] }
      : possiblePlan(asked, lab.optional, (need) => whyLacking(need, data))
  return (
    <>
      <LeftOut arms={leftOut.filter(({ id }) => !known.some((one) => one.id === id))} />
      <details className={classes.more}>
        <summary className="numbers">
          <Trans
            id="{estimate}<0>Change</0>"
            values={{ estimate: estimateWords(plan, quickSwitch, clock) }}
            components={{ 0: <span className={classes.change} /> }}
          />
        </summary>
        <DesignFields
          design={plan.design}
          onChange={(design: Design) => onChange({ ...params, ...design })}
          bounds={action}
          quickSwitch={quickSwitch}
          clock={clock}
          disabled={disabled}
        />
        <CommonSettings
          feature={feature}
          testbed={data ?? null}
          chosen={params.settings ?? {}}
          onChange={(settings) => onChange({ ...params, settings })}
          disabled={disabled}
        />
      </details>
      <OpinionChoice
        testbed={testbed}
        plan={plan}
        lab={lab}
        checked={params.opinion === true}
        fit={opinion}
        onChange={(checked) => onChange({ ...params, opinion: checked })}
        disabled={disabled}
      />
      <ProfileChoice
        testbed={testbed}
        checked={params.profile === true}
        onChange={(checked) => onChange({ ...params, profile: checked })}
        disabled={disabled}
      />
    </>
  )
}

import { clockOf } from '@expresslane/shared/measure/clock'
import type { Design, ExperimentPlan, LeftOutArm } from '@expresslane/shared/measure/experiment'
import { possiblePlan } from '@expresslane/shared/features/plan'
import type { Action, Lab, StepParams } from '@expresslane/shared/labs/lab'
import type { TestbedId } from '@expresslane/shared/testbed/id'
import { useTestbed } from '../../api/queries.ts'
import { whyLacking } from '../../words/testbeds.ts'
import { CommonSettings, DesignFields, estimateWords, LeftOut, OpinionChoice } from '../../experiment/index.ts'
import classes from './experiment-params.module.css'

interface ExperimentParamsProps {
  action: Extract<Action, { kind: 'experiment' }>
  testbed: TestbedId
  /** The lab's feature. */
  feature: string
  /** What the lab needs, and what its experiments can do without. */
  lab: Pick<Lab, 'needs' | 'optional'>
  params: StepParams
  onChange: (params: StepParams) => void
  disabled: boolean
  /** The arms of which the latest result says that they were left out. */
  known: readonly LeftOutArm[]
}

/** The plan with the learner's changes to its design. */
function changed(plan: ExperimentPlan, { repeats, seconds, order, warmups, budget }: StepParams): ExperimentPlan {
  const { design } = plan
  return {
    ...plan,
    design: {
      repeats: repeats ?? design.repeats,
      seconds: seconds ?? design.seconds,
      order: order ?? design.order,
      warmups: warmups ?? design.warmups,
      budget: budget === undefined ? design.budget : budget,
    },
  }
}

/** The design of a lab's experiment, which can be changed within the lab's bounds, and its expected duration. */
export function ExperimentParams({
  action,
  testbed,
  feature,
  lab,
  params,
  onChange,
  disabled,
  known,
}: ExperimentParamsProps) {
  const { data } = useTestbed(testbed)
  if (action.plan === null) return null
  const quickSwitch = data?.capabilities.includes('quick-switch') ?? false
  const clock = clockOf(data ?? null)
  const asked = changed(action.plan, params)
  const { plan, leftOut } =
    data === undefined || data === null
      ? { plan: asked, leftOut: [] }
      : possiblePlan(asked, lab.optional, (need) => whyLacking(need, data))
  return (
    <>
      <LeftOut arms={leftOut.filter(({ id }) => !known.some((one) => one.id === id))} />
      <details className={classes.more}>
        <summary>
          {estimateWords(plan, quickSwitch, clock)}
          <span className={classes.change}>Change</span>
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
        onChange={(opinion) => onChange({ ...params, opinion })}
        disabled={disabled}
      />
    </>
  )
}

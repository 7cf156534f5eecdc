import { i18n } from '@expresslane/shared/base/language'
import { fits, repeatsThatFit } from '@expresslane/shared/labs/planned'
import { clockOf } from '@expresslane/shared/measure/clock'
import type { RunState } from '@expresslane/shared/run/run-state'
import { IconPlayerPlay, IconPlayerStop } from '../icons.tsx'
import { Button } from '../components/controls.tsx'
import { PlanFit } from '../components/plan-fit.tsx'
import { estimateWords } from '../experiment/index.ts'
import { isUsable } from '../words/testbeds.ts'
import forms from './form/bench-form.module.css'
import type { BenchControls } from './use-bench.ts'
import type { Draft } from './use-draft.ts'

interface RunButtonsProps {
  draft: Draft
  bench: BenchControls
  /** The shown run, while it runs. */
  running: RunState | null
}

/** How long the experiment takes, Run and Cancel. */
export function RunButtons({ draft: { plan, fit, view }, bench: { start, cancel }, running }: RunButtonsProps) {
  const isTooLong = fit !== null && !fits(fit)
  const isUnready = plan === null || isTooLong || running !== null || view === null || !isUsable(view)
  return (
    <div className={`${forms.run} stack`}>
      <p className="numbers" role="status">
        {plan === null
          ? i18n.t('Correct the fields above first.')
          : estimateWords(plan, view?.capabilities.includes('quick-switch') ?? true, clockOf(view))}
      </p>
      {plan !== null && fit !== null && (
        <PlanFit
          fit={fit}
          clock={clockOf(view)}
          repeats={plan.design.budget === null ? repeatsThatFit(plan, fit.allowed) : null}
        />
      )}
      <div className="row">
        <Button
          type="submit"
          leftSection={<IconPlayerPlay size={18} aria-hidden />}
          disabled={isUnready}
          loading={start.isPending}
        >
          {i18n.t('Run')}
        </Button>
        {running !== null && (
          <Button
            variant="default"
            leftSection={<IconPlayerStop size={18} aria-hidden />}
            disabled={cancel.isPending || (cancel.isSuccess && cancel.variables === running.id)}
            onClick={() => cancel.mutate(running.id)}
          >
            {i18n.t('Cancel')}
          </Button>
        )}
      </div>
    </div>
  )
}

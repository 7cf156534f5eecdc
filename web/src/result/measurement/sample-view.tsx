import { i18n } from '@expresslane/shared/base/language'
import { formatNamed, headOf, toolName } from '@expresslane/shared/features/metrics'
import { valueOf } from '@expresslane/shared/measure/measurement'
import type { ArmPlan } from '@expresslane/shared/measure/experiment'
import { armLabel } from '@expresslane/shared/run/sides'
import type { RepeatState, RunState } from '@expresslane/shared/run/run-state'
import { familyName } from '@expresslane/shared/base/units'
import { useMemo } from 'react'
import { timeChart } from '@expresslane/shared/charts/time-chart'
import { kindOfRepeat } from '@expresslane/shared/charts/time-series'
import { byPointer } from '../../charts/choices.ts'
import { SavedChart } from '../../charts/download/download-chart.tsx'
import { SelectField } from '../../components/select-field.tsx'
import { useChosen } from '../../components/use-chosen.ts'
import { lookAmong } from '../../theme.ts'
import { highestRate, sampledRepeats, sampleRows } from '../../charts/sample-series.ts'
import { Figures } from './figures.tsx'
import { ArmHeading } from './headings.tsx'
import classes from './measurement-view.module.css'
import { Table } from '../../components/table.tsx'
import tables from '../../components/tables.module.css'

/** The samples of a repeat: the current repeat, or a repeat that the user chooses. Renders nothing without samples. */
export function SampledRepeats({ run, arms }: { run: RunState; arms: readonly ArmPlan[] }) {
  const [chosen, choose] = useChosen('sample')
  /** `3.12` is a sample of a repeat, `3` is the repeat. */
  const [repeat, sample = null] = chosen?.split('.') ?? []
  const repeats = useMemo(() => sampledRepeats(run.repeats), [run.repeats])
  const shown = repeats.find((one) => String(one.repeat) === repeat) ?? repeats.at(-1)
  if (shown === undefined) return null
  const { live } = kindOfRepeat(shown)
  const alike = repeats.filter((one) => kindOfRepeat(one).live === live)
  const title = nameOf(shown, run, arms)
  const isChosen = String(shown.repeat) === repeat
  const marked = isChosen ? sample : null
  const chooseSample = (id: string): void => choose(`${shown.repeat}.${id}`)
  const latest = run.state === 'running' ? i18n.t('Show the current one') : i18n.t('Show the last one')
  return (
    <section
      aria-labelledby="stream"
      className={`${classes.view} stack wide container ruled`}
      data-hue={lookAmong(run.plan?.arms ?? arms, shown.arm).hue}
    >
      <div className="row between">
        <ArmHeading level="h4" id="stream">
          {title}
        </ArmHeading>
        <SelectField
          label={i18n.t('Stream')}
          value={isChosen ? repeat : ''}
          onChange={(value) => choose(value === '' ? null : value)}
          options={[
            ['', latest],
            ...repeats.map((one) => [String(one.repeat), `${one.repeat}. ${nameOf(one, run, arms)}`] as const),
          ]}
        />
      </div>
      <SavedChart
        name={`stream-${shown.repeat}`}
        of={(frame) =>
          timeChart([shown], { title, arms: run.plan?.arms ?? arms, highest: highestRate(alike, live) }, frame)
        }
        choices={byPointer(marked, chooseSample)}
      />
      <SampledFigures repeat={shown} />
      <SampleTable repeat={shown} chosen={marked} onChoose={chooseSample} />
    </section>
  )
}

function nameOf({ arm, family, caseId, warmup }: RepeatState, run: RunState, arms: readonly ArmPlan[]): string {
  const of = run.plan?.cases.find(({ id }) => id === caseId)
  const tool = of === undefined ? [] : [toolName(of.benchmark)]
  return [armLabel(run, arm, arms), familyName[family], ...tool, ...(warmup ? [i18n.t('warm-up')] : [])].join(', ')
}

function SampledFigures({ repeat }: { repeat: RepeatState }) {
  const { measurement } = repeat
  const kind = kindOfRepeat(repeat)
  const figures = kind.figures.map((metric) => {
    const value = measurement === null ? null : formatNamed(metric, valueOf(measurement, metric))
    return [headOf(metric), value] as const
  })
  return (
    <Figures
      figures={figures}
      note={measurement === null ? i18n.t('The result appears at the end.') : (kind.note ?? '')}
    />
  )
}

interface SampleTableProps {
  repeat: RepeatState
  /** The place of a sample. */
  chosen: string | null
  onChoose: (id: string) => void
}

/** The rows that the tool reports; the chosen row is a point of the chart. */
function SampleTable({ repeat, chosen, onChoose }: SampleTableProps) {
  const { sampled } = kindOfRepeat(repeat)
  const clock = repeat.instructionsPerMicrosecond
  return (
    <Table
      label={i18n.t('Samples')}
      caption={<caption className="hidden">{i18n.t('Each sample')}</caption>}
      columns={[
        clock === null ? i18n.t('Time') : i18n.t('Until'),
        ...sampled.map((metric) => ({ name: headOf(metric), number: true })),
      ]}
      lines={sampleRows(repeat.samples, sampled, clock).map(({ time, cells, omitted }, row) => ({
        key: time,
        look: omitted ? 'muted' : '',
        data: { 'data-chosen': String(row) === chosen },
        cells: [
          <>
            <button
              type="button"
              className={`${tables.choose} no-wrap`}
              aria-pressed={String(row) === chosen}
              onClick={() => onChoose(String(row))}
            >
              {time}
            </button>
            {omitted && <span className="block regular">{i18n.t('excluded')}</span>}
          </>,
          ...cells,
        ],
      }))}
    />
  )
}

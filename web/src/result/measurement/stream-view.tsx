import { toolName } from '@expresslane/shared/measure/benchmark'
import { isRequestResponse, type StreamMeasurement } from '@expresslane/shared/measure/measurement'
import { formatMetric } from '@expresslane/shared/report/words'
import type { RepeatState, RunState } from '@expresslane/shared/run/run-state'
import { familyName, formatBitRate } from '@expresslane/shared/measure/units'
import { useMemo, useState } from 'react'
import { RateChart } from '../../charts/rate-line.tsx'
import { SelectField } from '../../components/select-field.tsx'
import { DownloadChart } from '../../charts/download/download-chart.tsx'
import { timeChart } from '@expresslane/shared/report/time-chart'
import { armLook } from '../../theme.ts'
import { highestRate, intervalRows, rateLine, streamRepeats } from '../../charts/stream-series.ts'
import { Figures } from './figures.tsx'
import classes from './stream-view.module.css'
import tables from '../../components/tables.module.css'

/** The streams of a run, one at a time: the one that runs now, or any that was chosen. Nothing where there is none. */
export function StreamRepeats({ run }: { run: RunState }) {
  const [chosen, setChosen] = useState<number | null>(null)
  const repeats = useMemo(() => streamRepeats(run.repeats), [run.repeats])
  const shown = repeats.find(({ repeat }) => repeat === chosen) ?? repeats.at(-1)
  if (shown === undefined) return null
  const latest = run.state === 'running' ? 'the one that runs now' : 'the last one'
  return (
    <section aria-labelledby="stream" className={classes.view} data-hue={armLook(shown.arm).hue}>
      <div className={classes.head}>
        <h4 id="stream" className={classes.title}>
          <span className={classes.swatch} aria-hidden />
          {nameOf(shown, run)}
        </h4>
        <SelectField
          label="Stream"
          value={chosen === null ? '' : String(chosen)}
          onChange={(value) => setChosen(value === '' ? null : Number(value))}
          options={[
            ['', `Show ${latest}`],
            ...repeats.map((one) => [String(one.repeat), `${one.repeat}. ${nameOf(one, run)}`] as const),
          ]}
        />
      </div>
      <RateChart line={rateLine(shown, highestRate(repeats))} name={nameOf(shown, run)} />
      <DownloadChart
        name={`stream-${shown.repeat}`}
        draw={(palette) => timeChart([shown], run.plan?.arms ?? [], nameOf(shown, run), palette)}
      />
      <StreamFigures repeat={shown} />
      <IntervalTable repeat={shown} />
    </section>
  )
}

function nameOf({ arm, family, caseId, warmup }: RepeatState, { plan }: RunState): string {
  const label = plan?.arms.find(({ id }) => id === arm)?.label ?? armLook(arm).name
  const of = plan?.cases.find(({ id }) => id === caseId)
  const tool = of === undefined ? [] : [toolName[of.benchmark.tool]]
  return [label, familyName[family], ...tool, ...(warmup ? ['warm-up'] : [])].join(', ')
}

function streamOf({ measurement }: RepeatState): StreamMeasurement | null {
  return measurement === null || isRequestResponse(measurement) ? null : measurement
}

function StreamFigures({ repeat }: { repeat: RepeatState }) {
  const taken = streamOf(repeat)
  const known = (metric: 'bytesPerPacket' | 'cpuSecondsPerGigabit'): string | null => {
    const value = taken?.[metric]
    return value === undefined ? null : value === null ? 'unknown' : formatMetric(metric, value)
  }
  const figures = [
    ['Throughput', taken === null ? null : formatBitRate(taken.throughput)],
    ['CPU time a gigabit', known('cpuSecondsPerGigabit')],
    ['Payload a packet', known('bytesPerPacket')],
    ['Sent again', taken === null ? null : String(taken.retransmits ?? 'unknown')],
  ] as const
  const note =
    taken === null
      ? 'The result comes when the stream has ended.'
      : 'CPU time is that of both pods’ machines, whatever they did; one machine under both counts once.'
  return <Figures figures={figures} note={note} />
}

/** The tool's own rows, as they come. */
function IntervalTable({ repeat }: { repeat: RepeatState }) {
  return (
    <div className={tables.scroll} role="region" aria-label="Intervals" tabIndex={0}>
      <table className={`${tables.table} ${classes.table}`}>
        <caption className="hidden">Each interval</caption>
        <thead>
          <tr>
            <th scope="col">Time</th>
            <th scope="col" className={tables.number}>
              Bit rate
            </th>
            <th scope="col" className={tables.number}>
              Sent again
            </th>
            <th scope="col" className={tables.number}>
              Window (cwnd)
            </th>
          </tr>
        </thead>
        <tbody>
          {intervalRows(repeat.intervals).map(({ time, rate, retransmits, cwnd, omitted }) => (
            <tr key={time} className={omitted ? classes.omitted : undefined}>
              <th scope="row" className={classes.time}>
                {time}
                {omitted && <span className={classes.mark}>left out</span>}
              </th>
              <td className={tables.number}>{rate}</td>
              <td className={tables.number}>{retransmits}</td>
              <td className={tables.number}>{cwnd}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

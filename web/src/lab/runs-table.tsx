import { RESET_STEP, type RunId } from '@expresslane/shared/events'
import type { Lab } from '@expresslane/shared/lab'
import type { RunSummary } from '@expresslane/shared/protocol'
import { formatLatency, formatTps } from '@expresslane/shared/units'
import { Checkbox } from '@mantine/core'
import { Link } from 'react-router'
import { formatPackets, formatTime } from '../components/format.ts'
import { lookOf, RunBadge } from '../components/run-badge.tsx'
import { armName } from '../theme.ts'
import classes from './runs-table.module.css'

interface RunsTableProps {
  runs: readonly RunSummary[]
  labs: readonly Lab[]
  picked: readonly RunId[]
  onPick: (id: RunId) => void
}

/** A line a run; those that measured something can be picked. Cards where it is narrow. */
export function RunsTable({ runs, labs, picked, onPick }: RunsTableProps) {
  return (
    <table className={classes.table}>
      <caption className="hidden">Runs, newest first</caption>
      <thead>
        <tr>
          <th scope="col">
            <span className="hidden">Pick</span>
          </th>
          <th scope="col">Step</th>
          <th scope="col">Started</th>
          <th scope="col">State</th>
          <th scope="col">Measured</th>
        </tr>
      </thead>
      <tbody>
        {runs.map((run) => (
          <Row
            key={run.id}
            run={run}
            lab={labs.find(({ id }) => id === run.labId) ?? null}
            picked={picked.includes(run.id)}
            onPick={onPick}
          />
        ))}
      </tbody>
    </table>
  )
}

interface RowProps {
  run: RunSummary
  lab: Lab | null
  picked: boolean
  onPick: (id: RunId) => void
}

function Row({ run, lab, picked, onPick }: RowProps) {
  const { id, stepId, measured, startedAt } = run
  const step = lab?.steps.find((one) => one.id === stepId)
  const name = stepId === RESET_STEP ? 'Reset' : (step?.title ?? stepId)
  return (
    <tr data-picked={picked}>
      <td>
        {measured !== null && (
          <Checkbox
            checked={picked}
            onChange={() => onPick(id)}
            aria-label={`Pick ${name}, ${formatTime(startedAt)}, to compare`}
          />
        )}
      </td>
      <th scope="row">
        <Link to={`/runs/${id}`}>{name}</Link>
        <span className={classes.lab}>{lab?.title ?? run.labId}</span>
      </th>
      <td className={classes.time}>{formatTime(startedAt)}</td>
      <td>
        <RunBadge look={lookOf(run)} />
      </td>
      <td>
        {measured !== null && (
          <div className={classes.measured} data-arm={measured.arm}>
            <strong>{formatTps(measured.medianTps)}</strong>
            <span className={classes.lab}>
              {armName[measured.arm]}, p99 {formatLatency(measured.medianP99)},{' '}
              {formatPackets(measured.packetsPerRequest)} packets a request
            </span>
          </div>
        )}
      </td>
    </tr>
  )
}

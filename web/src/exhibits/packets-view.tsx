import {
  changeNames,
  fieldName,
  type ChangeKind,
  type HeaderChange,
} from '@expresslane/shared/measure/ip/header-changes'
import { CUT_OFF, packetChanges } from '@expresslane/shared/run/exhibit-table'
import type { Exhibit } from '@expresslane/shared/run/exhibit'
import type { Room } from './room.ts'
import classes from './packets-view.module.css'

interface PacketsViewProps {
  of: Extract<Exhibit, { kind: 'packets' }>
  room: Room
}

/** The headers of one packet on both sides of a translator, side by side; what is not the same is marked, with the reason. */
export function PacketsView({ of, room }: PacketsViewProps) {
  const changes = packetChanges(of)
  return (
    <figure className={classes.packets}>
      <figcaption className={classes.title}>{of.title}</figcaption>
      {changes === null ? (
        <p className={classes.muted}>{CUT_OFF}</p>
      ) : room === 'page' ? (
        <Whole of={of} changes={changes} />
      ) : (
        <Brief of={of} changes={changes} withNames={room === 'slide'} />
      )}
    </figure>
  )
}

interface ChangesProps {
  of: PacketsViewProps['of']
  changes: readonly HeaderChange[]
}

function Whole({ of: { title, before, after }, changes }: ChangesProps) {
  const same = changes.filter(({ kind }) => kind === 'stayed').length
  return (
    <>
      <p className={classes.muted}>
        {same} of {changes.length} fields stayed.
      </p>
      <div className={classes.scroll} role="region" aria-label={title} tabIndex={0}>
        <table className={classes.table}>
          <thead>
            <tr>
              <Head text="Field" />
              <Head text={before.where} />
              <Head text={after.where} />
              <Head text="What happened" />
            </tr>
          </thead>
          <tbody>
            {changes.map((change) => (
              <Row key={change.key} change={change} />
            ))}
          </tbody>
        </table>
      </div>
    </>
  )
}

function Head({ text }: { text: string }) {
  return <th scope="col">{text}</th>
}

function Row({ change }: { change: HeaderChange }) {
  const { kind, before, after, why } = change
  return (
    <tr data-change={kind}>
      <th scope="row">{fieldName(change)}</th>
      <td className={classes.value}>{before?.value ?? '–'}</td>
      <td className={classes.value}>{after?.value ?? '–'}</td>
      <td className={classes.what}>
        <span className={classes.kind}>{changeNames[kind]}</span>
        {why !== null && <span className={classes.why}>: {why}</span>}
      </td>
    </tr>
  )
}

interface BriefProps extends ChangesProps {
  withNames: boolean
}

/** On a slide: what changed as a table, and the names of what only one of the headers has. */
function Brief({ of: { title, before, after }, changes, withNames }: BriefProps) {
  const changed = changes.filter(({ kind }) => kind === 'changed')
  return (
    <>
      <div className={classes.scroll} role="region" aria-label={title} tabIndex={0}>
        <table className={classes.table} data-brief>
          <thead>
            <tr>
              <th scope="col">Field</th>
              <th scope="col">{before.where}</th>
              <th scope="col">{after.where}</th>
            </tr>
          </thead>
          <tbody>
            {changed.map((change) => (
              <tr key={change.key} data-change={change.kind}>
                <th scope="row">{change.before?.name}</th>
                <td className={classes.value}>{change.before?.value}</td>
                <td className={classes.value}>{change.after?.value}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {withNames && <Names kind="went" changes={changes} />}
      {withNames && <Names kind="came" changes={changes} />}
    </>
  )
}

function Names({ kind, changes }: { kind: ChangeKind; changes: readonly HeaderChange[] }) {
  const names = changes.filter((change) => change.kind === kind).map(fieldName)
  if (names.length === 0) return null
  return (
    <p className={classes.names}>
      <span className={classes.kind}>{changeNames[kind]}:</span> {names.join(', ')}
    </p>
  )
}

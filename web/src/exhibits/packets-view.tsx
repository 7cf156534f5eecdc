import { i18n } from '@expresslane/shared/base/language'
import {
  changeNames,
  fieldName,
  type ChangeKind,
  type HeaderChange,
} from '@expresslane/shared/measure/ip/header-changes'
import { CUT_OFF, packetChanges } from '@expresslane/shared/run/exhibit-table'
import type { Exhibit } from '@expresslane/shared/run/exhibit'
import tables from '../components/tables.module.css'
import type { Surface } from './table-view.tsx'
import classes from './exhibits.module.css'

interface PacketsViewProps {
  of: Extract<Exhibit, { kind: 'packets' }>
  surface: Surface
}

/** The headers of one packet on both sides of a translator, side by side; each change is marked, with the reason. */
export function PacketsView({ of, surface }: PacketsViewProps) {
  const changes = packetChanges(of)
  return (
    <figure className="stack tight container">
      <figcaption className="strong large">{of.title}</figcaption>
      {changes === null ? (
        <p className="muted">{i18n.t(CUT_OFF)}</p>
      ) : surface === 'page' ? (
        <Whole of={of} changes={changes} />
      ) : (
        <Brief of={of} changes={changes} withNames={surface === 'slide'} />
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
      <p className="muted">{i18n.t('{same} of {all} fields stayed.', { same, all: changes.length })}</p>
      <div className={tables.scroll} role="region" aria-label={title} tabIndex={0}>
        <table className={`${tables.table} ${classes.fields} ${classes.whole}`}>
          <thead>
            <tr>
              <Head text={i18n.t('Field')} />
              <Head text={before.where} />
              <Head text={after.where} />
              <th scope="col" className="hidden">
                {i18n.t('What happened')}
              </th>
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
    <tr data-change={kind} className={kind === 'stayed' ? 'muted' : undefined}>
      <th scope="row">{fieldName(change)}</th>
      <td className="mono">{before?.value ?? '–'}</td>
      <td className="mono">{after?.value ?? '–'}</td>
      <td className={kind === 'stayed' ? 'hidden' : undefined}>
        <span className="medium">{i18n.t(changeNames[kind])}</span>
        {why !== null && <span className="muted">: {why}</span>}
      </td>
    </tr>
  )
}

interface BriefProps extends ChangesProps {
  withNames: boolean
}

/** On a slide: the changes as a table, and the names of the fields that only one header has. */
function Brief({ of: { title, before, after }, changes, withNames }: BriefProps) {
  const changed = changes.filter(({ kind }) => kind === 'changed')
  return (
    <>
      <div className={tables.scroll} role="region" aria-label={title} tabIndex={0}>
        <table className={`${tables.table} ${classes.fields}`} data-brief>
          <thead>
            <tr>
              <th scope="col">{i18n.t('Field')}</th>
              <th scope="col">{before.where}</th>
              <th scope="col">{after.where}</th>
            </tr>
          </thead>
          <tbody>
            {changed.map((change) => (
              <tr key={change.key} data-change={change.kind}>
                <th scope="row">{change.before?.name}</th>
                <td>{change.before?.value}</td>
                <td>{change.after?.value}</td>
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
    <p>
      <span className="medium">{i18n.t(changeNames[kind])}:</span> {names.join(', ')}
    </p>
  )
}

import { compareHeaders, type ChangeKind, type HeaderChange } from '@expresslane/shared/measure/ip/header-changes'
import { bytesOfHex } from '@expresslane/shared/measure/packet'
import tables from '../../../components/tables.module.css'
import classes from './header-table.module.css'

/** A captured packet, and where it was captured. */
export interface SeenPacket {
  readonly where: string
  /** Its first bytes in hex, from the IP header on. */
  readonly head: string
}

const words: Readonly<Record<ChangeKind, string>> = {
  stayed: 'stayed',
  changed: 'changed',
  went: 'only before',
  came: 'only after',
}

/** The field's name in each family, once if it is the same. */
function nameOf({ before, after }: HeaderChange): string {
  const names = [before, after].flatMap((field) => (field === null ? [] : [field.name]))
  return [...new Set(names)].join(' / ')
}

function Row({ change }: { change: HeaderChange }) {
  const { kind, before, after, why } = change
  return (
    <tr className={kind === 'stayed' ? undefined : classes.marked} data-kind={kind}>
      <th scope="row">{nameOf(change)}</th>
      <td className={classes.value}>{before?.value ?? '–'}</td>
      <td className={classes.value}>{after?.value ?? '–'}</td>
      <td className={classes.what}>
        {words[kind]}
        {why !== null && <span className={classes.why}>{why}</span>}
      </td>
    </tr>
  )
}

/** The headers of one packet on both sides of a translator, side by side; what is not the same is marked. */
export function HeaderTable({ before, after }: { before: SeenPacket; after: SeenPacket }) {
  const [first, second] = [bytesOfHex(before.head), bytesOfHex(after.head)]
  const changes = first === null || second === null ? null : compareHeaders(first, second)
  if (changes === null) return <p className={classes.muted}>The headers of these packets were not captured whole.</p>
  const same = changes.filter(({ kind }) => kind === 'stayed').length
  return (
    <div className={tables.scroll} role="region" aria-label="Headers side by side" tabIndex={0}>
      <table className={tables.table}>
        <caption>
          One packet on both sides: {same} of {changes.length} fields stayed
        </caption>
        <thead>
          <tr>
            <th scope="col">Field</th>
            <th scope="col">{before.where}</th>
            <th scope="col">{after.where}</th>
            <th scope="col">What happened</th>
          </tr>
        </thead>
        <tbody>
          {changes.map((change) => (
            <Row key={change.key} change={change} />
          ))}
        </tbody>
      </table>
    </div>
  )
}

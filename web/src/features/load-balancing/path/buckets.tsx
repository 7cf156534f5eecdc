/** Tables of buckets as pictures: the table that is loaded, and which buckets move when the last backend leaves it. */
import { i18n } from '@expresslane/shared/base/language'
import {
  balancerName,
  movesBetween,
  tableBalancers,
  tableOf,
  type Move,
  type TableBalancer,
} from '@expresslane/shared/features/load-balancing/balancers'
import { formatCount } from '@expresslane/shared/base/units'
import classes from './buckets.module.css'

/** A cell is as wide as high, and the picture about twice as wide as high. */
function columnsFor(buckets: number): number {
  return Math.ceil(Math.sqrt(buckets * 2))
}

/** All cells of one colour as one path. */
function pathOf<Kind>(cells: readonly Kind[], kind: Kind): string {
  const columns = columnsFor(cells.length)
  return cells
    .map((cell, at) => (cell === kind ? `M${at % columns} ${Math.floor(at / columns)}h.86v.86h-.86z` : ''))
    .join('')
}

interface CellsProps<Kind extends string | number> {
  cells: readonly Kind[]
  kinds: readonly Kind[]
  /** For those who do not see the picture. */
  label: string
}

function Cells<Kind extends string | number>({ cells, kinds, label }: CellsProps<Kind>) {
  const columns = columnsFor(cells.length)
  return (
    <svg
      className={classes.cells}
      viewBox={`0 0 ${columns} ${Math.ceil(cells.length / columns)}`}
      role="img"
      aria-label={label}
    >
      {kinds.map((kind) => (
        <path key={kind} data-kind={kind} d={pathOf(cells, kind)} />
      ))}
    </svg>
  )
}

/** With marked texts. */
const moves: readonly (readonly [Move, string])[] = [
  ['stays', /*i18n*/ 'stays'],
  ['needed', /*i18n*/ 'must move: its backend leaves'],
  ['needless', /*i18n*/ 'moves, though its backend stays'],
]

/** `204 of 1,021 buckets must move, and 15 more move.` */
export function movedWords(cells: readonly Move[]): string {
  const count = (kind: Move): number => cells.filter((one) => one === kind).length
  return i18n.t(
    '{needed} of {buckets} buckets must move, and {more, plural, =0 {no other moves} one {# more moves} other {# more move}}.',
    { needed: formatCount(count('needed')), buckets: formatCount(cells.length), more: count('needless') },
  )
}

interface TablesProps {
  balancer: TableBalancer
  backends: number
  buckets: number
}

/** The loaded table, and the moved buckets of each way to fill such a table. */
export function Tables({ balancer, backends, buckets }: TablesProps) {
  const numbers = Array.from({ length: backends }, (_, index) => index + 1)
  const after = (of: TableBalancer): Move[] =>
    movesBetween(tableOf(of, backends, buckets), tableOf(of, backends - 1, buckets))
  return (
    <div className="stack">
      <figure className={classes.figure}>
        <figcaption>
          <strong>{i18n.t('The table: {buckets} buckets', { buckets: formatCount(buckets) })}</strong>
        </figcaption>
        <Cells
          cells={tableOf(balancer, backends, buckets)}
          kinds={numbers}
          label={i18n.t('The backend of each of {buckets} buckets', { buckets: formatCount(buckets) })}
        />
        <Legend of={numbers.map((one) => [one, `backend${one}`])} />
      </figure>
      {backends > 1 && (
        <>
          <h3 className={classes.heading}>
            {i18n.t('When {backend} leaves the table', { backend: `backend${backends}` })}
          </h3>
          <div className={classes.figures}>
            {tableBalancers.map((one) => (
              <figure key={one} className={classes.figure}>
                <figcaption>
                  <strong>{i18n.t(balancerName[one])}</strong>
                  {one === balancer && <span className="muted"> {i18n.t('(loaded)')}</span>}
                </figcaption>
                <Cells cells={after(one)} kinds={moves.map(([kind]) => kind)} label={movedWords(after(one))} />
                <p className="muted numbers">{movedWords(after(one))}</p>
              </figure>
            ))}
          </div>
          <Legend of={moves.map(([kind, words]) => [kind, i18n.t(words)])} />
        </>
      )}
    </div>
  )
}

function Legend({ of }: { of: readonly (readonly [kind: string | number, words: string])[] }) {
  return (
    <ul role="list" className={`${classes.legend} muted`} aria-label={i18n.t('Colours')}>
      {of.map(([kind, words]) => (
        <li key={kind}>
          <span className={classes.key} data-kind={kind} aria-hidden="true" />
          {words}
        </li>
      ))}
    </ul>
  )
}

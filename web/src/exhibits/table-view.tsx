import { i18n } from '@expresslane/shared/base/language'
import { moreWords } from '@expresslane/shared/run/exhibit-table'
import type { Exhibit } from '@expresslane/shared/run/exhibit'
import tables from '../components/tables.module.css'
import classes from './exhibits.module.css'

/** The surface that shows an exhibit: a page scrolls, and a slide should not, least of all a slide with several exhibits. */
export type Surface = 'page' | 'slide' | 'crowded slide'

/** The rows that fit on each surface. */
const MOST_ROWS: Readonly<Record<Surface, number>> = { page: Number.POSITIVE_INFINITY, slide: 5, 'crowded slide': 2 }
/** Characters of a cell that stay in one line. */
const ONE_LINE = 32
/** Words with more characters, such as addresses with ports, break on a phone. */
const ONE_WORD = 16

interface TableViewProps {
  of: Extract<Exhibit, { kind: 'table' }>
  surface: Surface
}

/** A table that scrolls in its own region where it is wider than the page. */
export function TableView({ of: { title, columns, rows, more }, surface }: TableViewProps) {
  const shown = rows.slice(0, MOST_ROWS[surface])
  const left = rows.length - shown.length + more
  return (
    <figure className="stack tight">
      <figcaption className="strong large">{title}</figcaption>
      <div className={tables.scroll} role="region" aria-label={title} tabIndex={0}>
        <table className={`${tables.table} ${classes.table}`} aria-label={title} data-brief={surface !== 'page'}>
          <thead>
            <tr>
              {columns.map((name, place) => (
                <th key={place} scope="col">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {shown.map((row, index) => (
              <tr key={index}>
                {columns.map((_, place) => (
                  <Cell key={place} text={row[place] ?? ''} isFirst={place === 0} />
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {rows.length === 0 && <p className="muted">{i18n.t('It is empty.')}</p>}
      {left > 0 && <p className="muted">{moreWords(left)}</p>}
    </figure>
  )
}

function Cell({ text, isFirst }: { text: string; isFirst: boolean }) {
  const hasLongWord = text.split(' ').some((word) => word.length > ONE_WORD)
  const className = text.length > ONE_LINE ? classes.long : hasLongWord ? classes.word : undefined
  return isFirst ? (
    <th scope="row" className={className}>
      {text}
    </th>
  ) : (
    <td className={className}>{text}</td>
  )
}

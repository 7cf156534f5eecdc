/** A table that scrolls in a region of its own where it is wider than the page. */
import type { Key, ReactNode } from 'react'
import tables from './tables.module.css'

interface Column {
  readonly name: ReactNode
  /** Aligns the name and the cells at the right. */
  readonly number?: boolean
  /** The class of the cells. */
  readonly look?: string | undefined
}

interface Line {
  readonly key: Key
  /** A cell for each column. */
  readonly cells: readonly ReactNode[]
  readonly look?: string | undefined
  readonly data?: Readonly<Record<`data-${string}`, string | boolean>>
}

interface TableProps {
  /** The name of the region. */
  label: string
  /** A `<caption>`. */
  caption?: ReactNode
  className?: string | undefined
  /** Text names a column without more options. */
  columns: readonly (string | Column)[]
  /** Whether the first cell of a line is its heading. */
  headed?: boolean
  lines: readonly Line[]
}

export function Table({ label, caption, className = '', columns, headed = true, lines }: TableProps) {
  const all = columns.map((column): Column => (typeof column === 'string' ? { name: column } : column))
  return (
    <div className={tables.scroll} role="region" aria-label={label} tabIndex={0}>
      <table className={`${tables.table} ${className}`}>
        {caption}
        <thead>
          <tr>
            {all.map(({ name, number = false }, index) => (
              <th key={index} scope="col" className={number ? tables.number : undefined}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {lines.map(({ key, cells, look, data }) => (
            <tr key={key} className={look} {...data}>
              {all.map((column, index) => (
                <Cell key={index} column={column} isHeading={headed && index === 0}>
                  {cells[index]}
                </Cell>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function Cell({ column, isHeading, children }: { column: Column; isHeading: boolean; children: ReactNode }) {
  const className = column.number === true ? tables.number : column.look
  return isHeading ? (
    <th scope="row" className={className}>
      {children}
    </th>
  ) : (
    <td className={className}>{children}</td>
  )
}

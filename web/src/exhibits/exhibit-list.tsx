import { assertNever } from '@expresslane/shared/wire/errors'
import type { Exhibit } from '@expresslane/shared/run/exhibit'
import { AddressView } from './address-view.tsx'
import { PacketsView } from './packets-view.tsx'
import { PageView } from './page-view.tsx'
import { TableView } from './table-view.tsx'
import classes from './exhibit-list.module.css'

interface ExhibitViewProps {
  of: Exhibit
  brief: boolean
}

function ExhibitView({ of, brief }: ExhibitViewProps) {
  switch (of.kind) {
    case 'table':
      return <TableView of={of} brief={brief} />
    case 'page':
      return <PageView of={of} />
    case 'address':
      return <AddressView of={of} />
    case 'packets':
      return <PacketsView of={of} brief={brief} />
    default:
      return assertNever(of)
  }
}

/** Exhibits below each other; on a slide beside each other where they fit. */
export function ExhibitList({ of, brief }: { of: readonly Exhibit[]; brief: boolean }) {
  return (
    <ul role="list" className={classes.list} data-brief={brief}>
      {of.map((exhibit, index) => (
        // They are only ever added at the end, and two can be alike.
        <li key={index} data-kind={exhibit.kind}>
          <ExhibitView of={exhibit} brief={brief} />
        </li>
      ))}
    </ul>
  )
}

import { assertNever } from '@expresslane/shared/base/errors'
import type { Exhibit } from '@expresslane/shared/run/exhibit'
import { AddressView } from './address-view.tsx'
import { PacketsView } from './packets-view.tsx'
import { PageView } from './page-view.tsx'
import { TableView, type Surface } from './table-view.tsx'
import classes from './exhibits.module.css'

interface ExhibitViewProps {
  of: Exhibit
  surface: Surface
}

function ExhibitView({ of, surface }: ExhibitViewProps) {
  const brief = surface !== 'page'
  switch (of.kind) {
    case 'table':
      return <TableView of={of} surface={surface} />
    case 'page':
      return <PageView of={of} brief={brief} />
    case 'address':
      return <AddressView of={of} brief={brief} />
    case 'packets':
      return <PacketsView of={of} surface={surface} />
    default:
      return assertNever(of)
  }
}

/** More columns than these take the whole width of a slide. */
const NARROW_COLUMNS = 3

type Place = 'small' | 'tall' | 'wide'

/** How an exhibit is placed on a slide: packets are tall, large tables and addresses are wide, other exhibits are small. */
function placeOf(of: Exhibit): Place {
  if (of.kind === 'packets') return 'tall'
  return of.kind === 'address' || (of.kind === 'table' && of.columns.length > NARROW_COLUMNS) ? 'wide' : 'small'
}

/** Exhibits below each other; on a slide packets stand beside small exhibits, and wide exhibits are below. */
export function ExhibitList({ of, brief }: { of: readonly Exhibit[]; brief: boolean }) {
  if (!brief) return <List of={of} place={null} surface="page" />
  const { small = [], tall = [], wide = [] } = Object.groupBy(of, placeOf)
  const above = small.length + tall.length > 0
  const surface = above && wide.length > 0 ? 'crowded slide' : 'slide'
  return (
    <div className={classes.columns}>
      {above && (
        <div className={classes.columns} data-columns={small.length > 0 && tall.length > 0}>
          {small.length > 0 && <List of={small} place="small" surface={surface} />}
          {tall.length > 0 && <List of={tall} place="tall" surface={surface} />}
        </div>
      )}
      {wide.length > 0 && <List of={wide} place="wide" surface={surface} />}
    </div>
  )
}

interface ListProps {
  of: readonly Exhibit[]
  /** On a slide; null elsewhere. */
  place: Place | null
  surface: Surface
}

function List({ of, place, surface }: ListProps) {
  return (
    <ul role="list" className={`${classes.list} stack apart`} data-place={place}>
      {of.map((exhibit, index) => (
        // Exhibits are only ever added at the end, and two can be alike.
        <li key={index} data-kind={exhibit.kind}>
          <ExhibitView of={exhibit} surface={surface} />
        </li>
      ))}
    </ul>
  )
}

import type { Placement } from '@expresslane/shared/testbed/placement'
import { roleName } from '@expresslane/shared/features/words'
import { placementName } from '../words/format.ts'
import classes from '../components/tables.module.css'

/** The nodes and addresses of the pods. */
export function PlacementView({ placement }: { placement: Placement }) {
  return (
    <div className={classes.scroll} role="region" aria-label="Pods" tabIndex={0}>
      <table className={classes.table}>
        <caption>Pods, {placementName[placement.variant]}</caption>
        <thead>
          <tr>
            <th scope="col">Role</th>
            <th scope="col">Pod</th>
            <th scope="col">Node</th>
            <th scope="col">CPU</th>
            <th scope="col">IPv4</th>
            <th scope="col">IPv6</th>
          </tr>
        </thead>
        <tbody>
          {placement.pods.map(({ role, name, node, addresses }) => (
            <tr key={role}>
              <th scope="row">{roleName(role)}</th>
              <td className={classes.name}>{name}</td>
              <td className={classes.name}>{node}</td>
              <td>{placement.cpus[role] ?? 'by the scheduler'}</td>
              <td className="mono">{addresses.ipv4 ?? 'none'}</td>
              <td className="mono">{addresses.ipv6 ?? 'none'}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

import { deviceKey, groLimit, gsoLimit, type DatapathState } from '@expresslane/shared/testbed/reading'
import { familyName, formatCount, type Bytes, type Family } from '@expresslane/shared/measure/units'
import classes from '../components/tables.module.css'

function exact(size: Bytes | null): string {
  return size === null ? 'unknown' : formatCount(size)
}

/** The sizes that the kernel reported for every device when the step read them, in bytes. */
export function ReadingsTable({ datapath, family }: { datapath: DatapathState; family: Family }) {
  return (
    <div className={classes.scroll} role="region" aria-label="Readings" tabIndex={0}>
      <table className={classes.table}>
        <caption>What the kernel reports for {familyName[family]}, in bytes</caption>
        <thead>
          <tr>
            <th scope="col">Where</th>
            <th scope="col">Device</th>
            <th scope="col" className={classes.number}>
              GSO limit
            </th>
            <th scope="col" className={classes.number}>
              GRO limit
            </th>
            <th scope="col" className={classes.number}>
              Largest possible
            </th>
            <th scope="col" className={classes.number}>
              MTU
            </th>
          </tr>
        </thead>
        <tbody>
          {datapath.kernel.map((device) => (
            <tr key={deviceKey(device)}>
              <th scope="row" className={classes.name}>
                {device.where}
              </th>
              <td className="mono">{device.device}</td>
              <td className={classes.number}>{exact(gsoLimit(device, family))}</td>
              <td className={classes.number}>{exact(groLimit(device, family))}</td>
              <td className={classes.number}>{exact(device.tsoMaxSize)}</td>
              <td className={classes.number}>{exact(device.mtu)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

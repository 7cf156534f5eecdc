import { GATEWAY } from '@expresslane/shared/features/nat64/roles'
import type { DatapathState } from '@expresslane/shared/testbed/reading'
import type { Family } from '@expresslane/shared/base/units'
import { client, server } from '@expresslane/shared/features/nat64/places'
import type { PathViewProps } from '../../views.ts'
import shared from '../../places.module.css'
import { chosenWords, wayOf, type StageView } from './way.ts'

/** Client, gateway and server; on the gateway a packet's translation, with its addresses before and after. */
export function PathView({ path, family }: PathViewProps) {
  const datapath = path?.datapath ?? null
  if (datapath === null) return null
  const chosen = chosenWords(datapath)
  return (
    <div className="stack">
      {datapath.placement === null ? (
        <p className="muted">No pods are deployed, so there is no path yet.</p>
      ) : (
        <Way datapath={datapath} family={family} />
      )}
      {chosen !== null && <p className="medium">{chosen}</p>}
    </div>
  )
}

function Way({ datapath, family }: { datapath: DatapathState; family: Family }) {
  const { stages, words } = wayOf(datapath, family)
  return (
    <>
      <ol role="list" className={shared.places} aria-label="The way of a packet, from client to server">
        <Place name={client.name} address={client.own[family]} />
        <Place name={GATEWAY} address="" stages={stages} />
        <Place name={server.name} address={Object.values(server.own).join(', ')} />
      </ol>
      <div className={shared.words}>
        {words.map((one) => (
          <p key={one}>{one}</p>
        ))}
      </div>
    </>
  )
}

function Place({ name, address, stages = [] }: { name: string; address: string; stages?: readonly StageView[] }) {
  return (
    <li className={`${shared.place} surface sunken`} data-node={stages.length > 0}>
      <div className="row between baseline tight">
        <h3 className={`${shared.where} strong break-anywhere`}>{name}</h3>
        {address !== '' && <span className="mono muted break-anywhere">{address}</span>}
      </div>
      {stages.length > 0 && (
        <ol role="list" aria-label={`What a packet meets on the ${name}, in its order`}>
          {stages.map((stage) => (
            <Stage key={stage.id} stage={stage} />
          ))}
        </ol>
      )}
    </li>
  )
}

function Stage({ stage: { name, does, reached, handles, counted } }: { stage: StageView }) {
  return (
    <li className={shared.stage} data-reached={reached ?? 'unknown'} data-handles={handles}>
      <div className="row baseline tight">
        <strong className={reached === false ? 'muted medium' : 'strong'}>{name}</strong>
        {handles && <span className={`${shared.handles} ${shared.end} strong no-wrap`}>translates it</span>}
      </div>
      <p className="muted">{does}</p>
      {counted !== null && <p className={`${shared.found} numbers`}>{counted}</p>}
    </li>
  )
}

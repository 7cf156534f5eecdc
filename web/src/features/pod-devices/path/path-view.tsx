import { podOf } from '@expresslane/shared/testbed/placement'
import type { DatapathState } from '@expresslane/shared/testbed/reading'
import type { Family } from '@expresslane/shared/base/units'
import { halves } from '@expresslane/shared/features/pod-devices/places'
import type { PathViewProps } from '../../views.ts'
import shared from '../../places.module.css'
import { chosenWords, wayOf, type LayerView, type PlaceView } from './way.ts'

/** Pods and nodes, and in each node the layers that a packet walks or skips. */
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

/** A place's address on the path, which is that of its pod. */
function addressOf(name: string, { placement }: DatapathState, family: Family): string {
  const half = halves.find(({ pod }) => pod === name)
  return (half === undefined ? null : podOf(placement, half.role)?.addresses[family]) ?? ''
}

function Way({ datapath, family }: { datapath: DatapathState; family: Family }) {
  const { places, words } = wayOf(datapath)
  return (
    <>
      <ol role="list" className={shared.places} aria-label="The way of a packet, from client to server">
        {places.map((place) => (
          <Place key={place.name} place={place} address={addressOf(place.name, datapath, family)} />
        ))}
      </ol>
      <div className={shared.words}>
        {words.map((one) => (
          <p key={one}>{one}</p>
        ))}
      </div>
    </>
  )
}

function Place({ place: { name, is, layers }, address }: { place: PlaceView; address: string }) {
  return (
    <li className={`${shared.place} surface sunken`} data-node={layers.length > 0}>
      <div className="row baseline tight">
        <h3 className={`${shared.where} strong break-anywhere`}>{name}</h3>
        {is !== '' && <span className="muted">{is}</span>}
        {address !== '' && <span className={`${shared.end} mono muted break-anywhere`}>{address}</span>}
      </div>
      {layers.length > 0 && (
        <ol role="list" aria-label={`What a packet meets on ${name}, in its order`}>
          {layers.map((layer) => (
            <Layer key={layer.id} layer={layer} />
          ))}
        </ol>
      )}
    </li>
  )
}

function Layer({ layer: { name, does, walked, handles, has, counted } }: { layer: LayerView }) {
  return (
    <li className={shared.stage} data-reached={walked ?? 'unknown'} data-handles={handles}>
      <div className="row baseline tight">
        <strong className={walked === false ? 'muted medium' : 'strong'}>{name}</strong>
        {handles && <span className={`${shared.handles} ${shared.end} strong no-wrap`}>handles it</span>}
        {!handles && walked === false && <span className={`${shared.end} muted`}>skipped</span>}
      </div>
      <p className="muted">{[does, ...(has === null ? [] : [has])].join('; ')}</p>
      {counted !== null && <p className={`${shared.found} numbers`}>{counted}</p>}
    </li>
  )
}

import type { PathViewProps } from '../../views.ts'
import shared from '../../places.module.css'
import { wayOf, type HookView } from './way.ts'

/** Client outside, called node with its hooks, backend's node and pod. */
export function PathView({ path, family }: PathViewProps) {
  const datapath = path?.datapath ?? null
  if (datapath === null) return null
  const { places, request, reply } = wayOf(datapath, family)
  return (
    <div className="stack">
      {datapath.placement === null && <p className="muted">No pods are deployed: Build chooses the nodes.</p>}
      <ol role="list" className={shared.places} aria-label="The way of a request, from the client to the backend">
        {places.map(({ id, name, is, detail, hooks }) => (
          <li key={id} className={`${shared.place} surface sunken`} data-node={hooks.length > 0}>
            <div className="row between baseline tight">
              <h3 className={`${shared.where} strong break-anywhere`}>{name}</h3>
              <span className="muted">{is}</span>
            </div>
            {detail !== null && <p className="mono muted break-anywhere">{detail}</p>}
            {hooks.length > 0 && (
              <ol role="list" aria-label="Where the node can handle a packet, in the packet’s order">
                {hooks.map((hook) => (
                  <Hook key={hook.id} hook={hook} />
                ))}
              </ol>
            )}
          </li>
        ))}
      </ol>
      <div className={shared.words}>
        <p>{request}</p>
        <p>{reply}</p>
      </div>
    </div>
  )
}

function Hook({ hook: { name, place, handles, has } }: { hook: HookView }) {
  return (
    <li className={shared.stage} data-reached={handles ?? 'unknown'} data-handles={handles ?? 'unknown'}>
      <div className="row baseline tight">
        <strong className="strong">{name}</strong>
        {handles === true ? (
          <span className={`${shared.handles} ${shared.end} strong no-wrap`}>handles it</span>
        ) : (
          <span className="muted">{has}</span>
        )}
      </div>
      <p className="muted">{place}</p>
      {handles === true && <p>{has}</p>}
    </li>
  )
}

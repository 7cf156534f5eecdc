import type { PathViewProps } from '../../views.ts'
import shared from '../../places.module.css'
import styles from '../../stages.module.css'
import classes from './path-view.module.css'
import { wayOf, type HookView } from './way.ts'

/** Client outside, called node with its hooks, backend's node and pod. */
export function PathView({ path, family, wide }: PathViewProps) {
  const datapath = path?.datapath ?? null
  if (datapath === null) return null
  const { places, request, reply } = wayOf(datapath, family)
  return (
    <div className={`${shared.view} ${classes.view}`} data-wide={wide}>
      {datapath.placement === null && <p className={shared.muted}>No pods are deployed: Build chooses the nodes.</p>}
      <ol
        role="list"
        className={`${shared.places} ${classes.places}`}
        aria-label="The way of a request, from the client to the backend"
      >
        {places.map(({ id, name, is, detail, hooks }) => (
          <li key={id} className={`${shared.place} ${classes.place}`} data-node={hooks.length > 0}>
            <div className={shared.head}>
              <h3 className={shared.where}>{name}</h3>
              <span className={shared.muted}>{is}</span>
            </div>
            {detail !== null && <p className={styles.address}>{detail}</p>}
            {hooks.length > 0 && (
              <ol
                role="list"
                className={styles.stages}
                aria-label="Where the node can handle a packet, in the packet’s order"
              >
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
    <li className={styles.stage} data-reached={handles ?? 'unknown'} data-handles={handles ?? 'unknown'}>
      <div className={shared.line}>
        <strong className={styles.name}>{name}</strong>
        {handles === true ? (
          <span className={shared.handles}>handles it</span>
        ) : (
          <span className={classes.has}>{has}</span>
        )}
      </div>
      <p className={shared.muted}>{place}</p>
      {handles === true && <p>{has}</p>}
    </li>
  )
}

import { i18n } from '@expresslane/shared/base/language'
import type { RunState } from '@expresslane/shared/run/run-state'
import type { Family } from '@expresslane/shared/base/units'
import { useMemo } from 'react'
import { formatPackets } from '../../../words/format.ts'
import { armLook } from '../../../theme.ts'
import type { FollowedPath } from '../../../api/follow.ts'
import type { PathViewProps } from '../../views.ts'
import { LayersBlock } from './layers-block.tsx'
import { packetsView } from './packets.ts'
import classes from './path-view.module.css'
import { OtherNodes, Places } from './place-list.tsx'
import { placesOf } from './places.ts'

/** Without a path, a list with more nodes is collapsed. */
const NODES_OPEN = 3

/** All devices between the pods with their current sizes, and the packets per request. */
export function PathView({ path, family, runs, wide }: PathViewProps) {
  return (
    <div className={`${classes.view} stack`}>
      {path !== null && <PathBody path={path} family={family} wide={wide} />}
      {(!wide || runs.length > 0) && <Packets runs={runs} />}
    </div>
  )
}

function PathBody({ path, family, wide }: { path: FollowedPath; family: Family; wide: boolean }) {
  const { path: places, others } = useMemo(() => placesOf(path, family), [path, family])
  const { datapath } = path
  const deployed = datapath !== null && datapath.placement !== null
  return (
    <>
      {datapath !== null && !deployed && (
        <p className="muted">
          {places.length > 0
            ? i18n.t('No pods are deployed: the path ends at the nodes.')
            : i18n.t('No pods are deployed, so there is no path yet.')}
        </p>
      )}
      {places.length > 0 && <Places places={places} label={i18n.t('Devices from client to server')} />}
      {datapath !== null && <LayersBlock state={datapath} family={family} brief={wide} />}
      <OtherNodes
        places={others}
        title={deployed ? i18n.t('Off the path') : i18n.t('Nodes')}
        folded={deployed || others.length > NODES_OPEN}
      />
    </>
  )
}

function Packets({ runs }: { runs: readonly RunState[] }) {
  const packets = useMemo(() => packetsView(runs), [runs])
  return (
    <div className={classes.packets}>
      <p className="muted">{i18n.t('Packets per request')}</p>
      {packets === null ? (
        <p className="muted">{i18n.t('not measured yet')}</p>
      ) : (
        <p className="row baseline" data-hue={armLook(packets.arm).hue}>
          <span className={`${classes.size} key-figure`}>{formatPackets(packets.now)}</span>
          {packets.before !== null && (
            <span className="muted">{i18n.t('before: {before}', { before: formatPackets(packets.before) })}</span>
          )}
        </p>
      )}
    </div>
  )
}

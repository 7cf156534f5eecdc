import { i18n } from '@expresslane/shared/base/language'
import { BIG_TCP_CAP } from '@expresslane/shared/features/big-tcp/size'
import { isBig, type DeviceView } from './path-model.ts'
import shared from '../../way.module.css'
import classes from './path-view.module.css'
import type { PlaceView } from './places.ts'

/** Boxes from client to server. */
export function Places({ places, label }: { places: readonly PlaceView[]; label: string }) {
  return (
    <ol role="list" className={shared.places} aria-label={label}>
      {places.map((place, index) => (
        <PlaceBox key={`${index} ${place.where}`} place={place} />
      ))}
    </ol>
  )
}

function sizesIn(places: readonly PlaceView[]): string {
  const sizes = new Set(places.flatMap(({ devices }) => devices.map(({ gso }) => gso.text)))
  if (sizes.size === 0) return i18n.t('unknown')
  return sizes.size === 1 ? [...sizes].join('') : i18n.t('{count} different sizes', { count: sizes.size })
}

interface OtherNodesProps {
  places: readonly PlaceView[]
  title: string
  /** Collapsed unless something is wrong there. */
  folded: boolean
}

/** Nodes off the path; switching changes them, too. */
export function OtherNodes({ places, title, folded }: OtherNodesProps) {
  if (places.length === 0) return null
  const wanting = places.some(({ unread, devices }) => unread !== null || devices.some(({ drift }) => drift !== null))
  return (
    <details open={wanting || !folded}>
      <summary className="medium">
        {title}: {places.length}, {sizesIn(places)}
      </summary>
      <ul role="list" aria-label={title} className="stack">
        {places.map((place) => (
          <PlaceBox key={place.where} place={place} />
        ))}
      </ul>
    </details>
  )
}

function PlaceBox({ place }: { place: PlaceView }) {
  const { where, role, devices, note, unread } = place
  return (
    <li className={`${shared.place} ${classes.place} surface sunken`} data-role={role}>
      <h3 className={`${shared.where} strong break-anywhere`}>{where}</h3>
      {devices.length > 0 && (
        <ul role="list" className="stack tight">
          {devices.map((device) => (
            <Device key={device.key} where={where} view={device} />
          ))}
        </ul>
      )}
      {note !== null && <p className="muted">{note}</p>}
      {unread !== null && (
        <p className="muted">
          <em>{i18n.t('unknown')}:</em> {unread}
        </p>
      )}
    </li>
  )
}

function share(view: DeviceView): number {
  return view.gso.bytes === null ? 0 : Math.min(1, view.gso.bytes / BIG_TCP_CAP)
}

const driftWord = { differs: /*i18n*/ 'differs', kept: /*i18n*/ 'old size' }

const driftSays = {
  differs: /*i18n*/ 'This device does not have the intended size',
  kept: /*i18n*/ 'The pod was created before the change and keeps its old size',
}

/** The colour of a size: the colour of an arm, or neutral for a device between the nodes. */
function sizeLook({ gso, transit }: DeviceView): 'unknown' | 'transit' | 'big' | 'legacy' {
  if (gso.bytes === null) return 'unknown'
  if (transit) return 'transit'
  return isBig(gso.bytes) ? 'big' : 'legacy'
}

const hues = { unknown: undefined, transit: undefined, big: 'on', legacy: 'off' } as const

function Device({ where, view }: { where: string; view: DeviceView }) {
  const { device, gso, gro, was, drift } = view
  const size = sizeLook(view)
  return (
    <li
      className={`${classes.device} row baseline tight`}
      data-size={size}
      data-hue={hues[size]}
      data-changed={was !== null}
    >
      <span className="hidden">{where} </span>
      <span className={`${classes.name} mono muted break-anywhere`} title={device}>
        {device}{' '}
      </span>
      {drift !== null && (
        <span className={`${drift === 'differs' ? 'bad' : 'warn'} strong`} title={i18n.t(driftSays[drift])}>
          {i18n.t(driftWord[drift])}{' '}
        </span>
      )}
      {was !== null && <span className="strong">{i18n.t('was {size}', { size: was.gso })} </span>}
      <span className={`${classes.size} strong numbers`} title={`GSO ${gso.exact}`}>
        {gso.text}
      </span>
      <svg className={classes.below} aria-hidden width="100%" height="5" preserveAspectRatio="none" viewBox="0 0 100 5">
        <rect className={classes.track} width="100" height="5" />
        <rect className={classes.fill} width={100 * share(view)} height="5" />
      </svg>
      <span className="hidden">{`, ${i18n.t('exactly {size}', { size: gso.exact })}`}</span>
      {gro.text !== gso.text && (
        <span className={`${classes.below} muted`} title={`GRO ${gro.exact}`}>
          {i18n.t('receives up to {size} (GRO)', { size: gro.text })}
        </span>
      )}
    </li>
  )
}

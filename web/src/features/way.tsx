/** A packet's way through places and their stages, for the path views of several features. */
import { i18n } from '@expresslane/shared/base/language'
import type { Family } from '@expresslane/shared/base/units'
import type { DatapathState } from '@expresslane/shared/testbed/reading'
import type { ReactNode } from 'react'
import type { PathViewProps } from './views.ts'
import classes from './way.module.css'

export interface WayStage {
  readonly id: string
  readonly name: string
  /** The stage's effect on a packet, or its place in the kernel. */
  readonly does: string
  /** Whether packets get there; null if it is unknown. */
  readonly reached: boolean | null
  /** Whether the stage handles packets; null if it is unknown. */
  readonly handles: boolean | null
  /** Said of a stage that does not handle packets. */
  readonly otherwise?: string
  /** The programs of the stage, or the packets that it has counted. */
  readonly found: string | null
}

export interface WayPlace {
  readonly name: string
  /** The place's part on the way. */
  readonly is?: string
  /** An address, or devices. */
  readonly address?: string | null
  /** In the order in which a packet meets them. */
  readonly stages: readonly WayStage[]
}

export interface WayView {
  /** In the order of a packet from client to server. */
  readonly places: readonly WayPlace[]
  /** The way of a packet, in sentences. */
  readonly words: readonly string[]
}

interface WayOptions {
  readonly wayOf: (datapath: DatapathState, family: Family) => WayView
  /** The choice for the next pods, if it differs from the present pods. */
  readonly chosenWords: (datapath: DatapathState) => string | null
  /** A marked text for the stage that handles packets. */
  readonly handling: string
}

/** The path view of a feature whose way needs pods, and is places with stages. */
export function wayPath({ wayOf, chosenWords, handling }: WayOptions) {
  return function PathView({ path, family }: PathViewProps) {
    const datapath = path?.datapath ?? null
    if (datapath === null) return null
    return (
      <PlacedPath datapath={datapath} chosen={chosenWords(datapath)}>
        <WayStages way={wayOf(datapath, family)} handling={i18n.t(handling)} end="server" />
      </PlacedPath>
    )
  }
}

interface PlacedPathProps {
  datapath: DatapathState
  chosen: string | null
  children: ReactNode
}

/** A path, which needs pods. */
export function PlacedPath({ datapath: { placement }, chosen, children }: PlacedPathProps) {
  return (
    <div className="stack">
      {placement === null ? (
        <p className="muted">{i18n.t('No pods are deployed, so there is no path yet.')}</p>
      ) : (
        children
      )}
      {chosen !== null && <p className="medium">{chosen}</p>}
    </div>
  )
}

interface WayStagesProps {
  way: WayView
  /** Marks the stage that handles packets. */
  handling: string
  end: 'server' | 'backend'
}

/** A way with the stages of its places. */
export function WayStages({ way: { places, words }, handling, end }: WayStagesProps) {
  return (
    <Way words={words} end={end}>
      {places.map(({ name, is = '', address = null, stages }) => (
        <Place key={name} name={name} is={is} address={address} isNode={stages.length > 0}>
          {stages.length > 0 && (
            <ol role="list" aria-label={i18n.t('What a packet meets on {name}, in its order', { name })}>
              {stages.map(({ id, handles, otherwise, found, ...stage }) => (
                <Stage
                  key={id}
                  {...stage}
                  handles={handles === true}
                  mark={
                    handles === true ? (
                      <Handles>{handling}</Handles>
                    ) : (
                      otherwise !== undefined && <AtEnd>{otherwise}</AtEnd>
                    )
                  }
                >
                  {found !== null && <Found>{found}</Found>}
                </Stage>
              ))}
            </ol>
          )}
        </Place>
      ))}
    </Way>
  )
}

interface WayProps extends Pick<WayView, 'words'>, Pick<WayStagesProps, 'end'> {
  children: ReactNode
}

export function Way({ words, end, children }: WayProps) {
  return (
    <>
      <ol
        role="list"
        className={classes.places}
        aria-label={
          end === 'server'
            ? i18n.t('The way of a packet, from client to server')
            : i18n.t('The way of a packet, from client to backend')
        }
      >
        {children}
      </ol>
      <div className={classes.words}>
        {words.map((one) => (
          <p key={one}>{one}</p>
        ))}
      </div>
    </>
  )
}

interface PlaceProps {
  name: string
  is?: string
  address: string | null
  /** Whether the place shows the inside of a node: it then takes more room on a projector. */
  isNode: boolean
  children: ReactNode
}

export function Place({ name, is = '', address, isNode, children }: PlaceProps) {
  return (
    <li className={`${classes.place} surface sunken`} data-node={isNode}>
      <div className="row baseline tight">
        <h3 className={`${classes.where} strong break-anywhere`}>{name}</h3>
        {is !== '' && <span className="muted">{is}</span>}
        {address !== null && <span className={`${classes.end} mono muted break-anywhere`}>{address}</span>}
      </div>
      {children}
    </li>
  )
}

interface StageProps extends Pick<WayStage, 'name' | 'does' | 'reached'> {
  handles: boolean
  /** Behind the name. */
  mark: ReactNode
  children: ReactNode
}

/** A stage in a node, on the line that is the packet's way. */
export function Stage({ name, does, reached, handles, mark, children }: StageProps) {
  return (
    <li className={classes.stage} data-reached={reached ?? 'unknown'} data-handles={handles}>
      <div className="row baseline tight">
        <strong className={reached === false ? 'muted medium' : 'strong'}>{name}</strong>
        {mark}
      </div>
      <p className="muted">{does}</p>
      {children}
    </li>
  )
}

/** A remark at the end of a stage's first line. */
export function AtEnd({ children }: { children: ReactNode }) {
  return <span className={`${classes.end} muted`}>{children}</span>
}

export function Handles({ children }: { children: ReactNode }) {
  return <span className={`${classes.handles} ${classes.end} strong no-wrap`}>{children}</span>
}

export function Found({ children }: { children: ReactNode }) {
  return <p className={`${classes.found} numbers`}>{children}</p>
}

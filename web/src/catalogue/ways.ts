/** Where a lab can run, and how far its sessions are. Pure. */
import { i18n } from '@expresslane/shared/base/language'
import { testbedFor } from '@expresslane/shared/features/topology'
import type { Lab, ListedLab } from '@expresslane/shared/labs/lab'
import { tracks } from '@expresslane/shared/labs/tracks'
import type { RecordingView } from '@expresslane/shared/recordings/recording'
import { formatTestbedId, kindOf, parseTestbedId, propertiesOf, type TestbedId } from '@expresslane/shared/testbed/id'
import type { SessionsResponse, TestbedView } from '@expresslane/shared/wire/protocol'
import { testbedName } from '../words/format.ts'
import { availabilityOf, clear, ownReasons, sharedReasons, type Availability } from './availability.ts'

export type ListedSession = SessionsResponse['sessions'][number]

/** A testbed that a person can choose as the place for all labs; `testbed` is null while it loads. */
export interface ReadTestbed {
  readonly id: TestbedId
  readonly testbed: TestbedView | null
  readonly failed: boolean
  /** The same machine's testbeds for other labs, as far as they are read. */
  readonly others: readonly TestbedView[]
}

/** A lab in a place. */
export interface Way {
  /** The testbed to begin a session on. */
  readonly id: TestbedId
  readonly name: string
  /** Null while that is not known. */
  readonly possible: boolean | null
  /** The reasons that apply to this lab and not to all labs. */
  readonly own: Availability
}

/** The page's labs and places. */
export interface Offer {
  readonly labs: readonly ListedLab[]
  readonly places: readonly ReadTestbed[]
  /** Null while they load. */
  readonly recordings: readonly RecordingView[] | null
}

/** The recording that plays a lab: the chosen recording if it is the lab's, else the first. */
function recordingFor(lab: Lab, chosen: TestbedId, list: readonly RecordingView[]): RecordingView | undefined {
  const own = list.filter((one) => one.lab === lab.id)
  return own.find(({ id }) => id === parseTestbedId(chosen).context) ?? own[0]
}

/** The way of a lab in a place. */
export function wayOf(lab: Lab, { id, testbed, failed, others }: ReadTestbed, { labs, recordings }: Offer): Way {
  const way = { id, name: testbedName(id), own: clear }
  if (propertiesOf(id).isRecorded) {
    if (recordings === null) return { ...way, possible: null }
    const found = recordingFor(lab, id, recordings)
    if (found !== undefined) {
      return { ...way, id: formatTestbedId({ kind: kindOf(id), context: found.id, owner: null }), possible: true }
    }
    return {
      ...way,
      possible: false,
      own: { ...clear, possible: false, lacking: [i18n.t('No recording of this lab exists here.')] },
    }
  }
  if (testbed === null) return { ...way, possible: failed ? false : null }
  // The preflight of the lab's own topology knows more, once it ran.
  const topology = others.find((one) => one.id === testbedFor(lab.feature, id) && one.preflight.length > 0)
  const available = availabilityOf(lab, topology ?? testbed)
  return { ...way, possible: available.possible, own: ownReasons(available, sharedReasons(labs, testbed)) }
}

function mayRun(place: ReadTestbed, offer: Offer): boolean {
  return offer.labs.some((lab) => wayOf(lab, place, offer).possible !== false)
}

/** True where every testbed but recordings is read and can run no lab, also once the set-up has got its tools. */
export function runsNothing(offer: Offer): boolean {
  const live = offer.places.filter(({ id }) => !propertiesOf(id).isRecorded)
  return (
    offer.labs.length > 0 &&
    !live.some((place) => mayRun(place, offer) || place.testbed?.preflight.some(({ coming }) => coming))
  )
}

/** The place that was chosen, if it is there; else the first that can run a lab or may turn out to. */
export function placeOf(chosen: string | null, offer: Offer): ReadTestbed | undefined {
  const { places } = offer
  return places.find(({ id }) => kindOf(id) === chosen) ?? places.find((one) => mayRun(one, offer)) ?? places[0]
}

interface Group {
  readonly id: string
  readonly title: string
  readonly about: string | null
  readonly labs: readonly ListedLab[]
}

/** The labs by track, then the labs without a track. */
export function groupsOf(labs: readonly ListedLab[]): Group[] {
  const without = (origin: ListedLab['origin']) => labs.filter((lab) => lab.track === null && lab.origin === origin)
  return [
    ...Object.entries(tracks).map(([id, { title, about }]) => ({
      id,
      title: i18n.t(title),
      about: i18n.t(about),
      labs: labs.filter((lab) => lab.track === id),
    })),
    { id: 'more', title: i18n.t('More labs'), about: null, labs: without('shipped') },
    { id: 'own', title: i18n.t('Your own labs'), about: null, labs: without('own') },
  ].filter((group) => group.labs.length > 0)
}

const usedAt = ({ lastRunAt, createdAt }: ListedSession): number => lastRunAt ?? createdAt

/** The session that was used last. */
export function latestOf(sessions: readonly ListedSession[]): ListedSession | undefined {
  return sessions.toSorted((a, b) => usedAt(b) - usedAt(a))[0]
}

/** The number of the first step that is not done, from 1; null once all are done. */
export function openStep({ steps }: Lab, { passedSteps }: ListedSession): number | null {
  const open = steps.findIndex(({ id, action }) => action !== null && !passedSteps.includes(id))
  return open < 0 ? null : open + 1
}

/** The address of a session. */
export function addressOf({ id, labId }: Pick<ListedSession, 'id' | 'labId'>): string {
  return `/labs/${labId}/sessions/${id}`
}

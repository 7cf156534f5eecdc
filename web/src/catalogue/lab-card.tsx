import { i18n } from '@expresslane/shared/base/language'
import { Trans } from '#language'
import { familyName } from '@expresslane/shared/base/units'
import { capabilityName } from '@expresslane/shared/features/capabilities'
import { testbedFor } from '@expresslane/shared/features/topology'
import { capitalized } from '@expresslane/shared/features/words'
import type { ListedLab } from '@expresslane/shared/labs/lab'
import { kindOf, propertiesOf, type TestbedId } from '@expresslane/shared/testbed/id'
import { Link } from 'react-router'
import { Button } from '../components/controls.tsx'
import { ChangeProblem } from '../components/problem-notice.tsx'
import { IconCircleCheck } from '../icons.tsx'
import { listed, testbedName } from '../words/format.ts'
import { canMend, reasonOf } from './availability.ts'
import classes from './lab-card.module.css'
import { LabPicture } from './lab-picture.tsx'
import { placeId } from './place-choice.tsx'
import { useBegin, type Begin } from './use-begin.ts'
import { VerdictWords } from './verdict-words-lazy.tsx'
import {
  addressOf,
  latestOf,
  openStep,
  wayOf,
  type ListedSession,
  type Offer,
  type ReadTestbed,
  type Way,
} from './ways.ts'

interface LabCardProps {
  lab: ListedLab
  offer: Offer
  /** The place that was chosen for the page. */
  place: ReadTestbed | undefined
  /** One's own; null while they load. */
  sessions: readonly ListedSession[] | null
}

/** A lab: its question, how far one is, a picture of its result, and the way into it. */
export function LabCard({ lab, offer, place, sessions }: LabCardProps) {
  const { id, title, question, summary, families, minutes, needs, origin, file } = lab
  const begin = useBegin(id)
  const own = sessions?.filter(({ labId }) => labId === id) ?? []
  const picture = offer.recordings?.find((one) => one.lab === id && one.picture !== null)?.picture ?? null
  const others = offer.places.filter((one) => one !== place).map((one) => wayOf(lab, one, offer))
  const at = ({ id: testbed }: Way) => latestOf(own.filter((one) => one.testbed === testbedFor(lab.feature, testbed)))
  const chosen = place === undefined ? null : wayOf(lab, place, offer)
  // A playback is no progress, unless one plays recordings.
  const counted = own.filter(
    (one) => !propertiesOf(one.testbed).isRecorded || (place !== undefined && propertiesOf(place.id).isRecorded),
  )
  return (
    <article className={`${classes.card} surface`} aria-labelledby={`lab-${id}`}>
      <div className="stack tight">
        <h3 id={`lab-${id}`}>{title}</h3>
        <p className="large medium pretty">{question}</p>
        {picture === null && <p className="muted pretty">{summary}</p>}
        <p className="muted">
          {i18n.t('About {minutes} minutes, {families}.', {
            minutes,
            families: listed(families.map((one) => familyName[one])),
          })}
          {needs.length > 0 && ` ${i18n.t('Needs {needs}.', { needs: listed(needs.map(capabilityName)) })}`}
        </p>
        {origin === 'own' && <p className="strong break-anywhere">{i18n.t('your own lab, {file}', { file })}</p>}
      </div>
      {picture !== null && <LabPicture of={picture} name={title} />}
      <div className={`${classes.ways} stack tight`}>
        {sessions !== null && <Progress lab={lab} session={latestOf(counted)} />}
        {chosen !== null && sessions !== null && <WayIn lab={lab} way={chosen} session={at(chosen)} begin={begin} />}
        <Elsewhere
          lab={lab}
          ways={others.filter(({ possible }) => possible).map((way) => ({ way, session: at(way) }))}
          begin={begin}
        />
        <ChangeProblem of={begin} />
      </div>
    </article>
  )
}

function Progress({ lab, session }: { lab: ListedLab; session: ListedSession | undefined }) {
  if (session === undefined || session.lastRunAt === null) return <p className="muted">{i18n.t('Not begun')}</p>
  const step = openStep(lab, session)
  return (
    <p className="row tight">
      {step === null && <IconCircleCheck size={20} stroke={2} aria-hidden className="good" />}
      <span className="medium">
        {step === null ? i18n.t('Done') : i18n.t('Step {step} of {steps}', { step, steps: lab.steps.length })}
      </span>
      <span className="muted">{i18n.t('on {testbed}', { testbed: testbedName(session.testbed) })}</span>
      {session.verdict !== null && <VerdictWords of={session.verdict} />}
    </p>
  )
}

interface WayInProps {
  lab: ListedLab
  way: Way
  session: ListedSession | undefined
  begin: Begin
}

function WayIn({ lab, way: { id, name, possible, own }, session, begin }: WayInProps) {
  const where = { title: lab.title, name }
  if (possible === null) return <p className="muted">{i18n.t('{name}: checking…', { name: capitalized(name) })}</p>
  if (!possible) {
    return (
      <p className={`${classes.blocked} muted break-anywhere`}>
        {capitalized(name)}: {own.possible ? <NotThere id={id} /> : reasonOf(own)}{' '}
        {canMend(own) && <a href={`#${kindOf(id)}`}>{i18n.t('How to fix it')}</a>}
      </p>
    )
  }
  const isNew = session === undefined
  return (
    <div className="row">
      {!isNew && (
        <Button
          component={Link}
          variant="default"
          to={addressOf(session)}
          aria-label={i18n.t('Continue: {title} on {name}', where)}
        >
          {i18n.t('Continue')}
        </Button>
      )}
      <Button
        variant={isNew ? 'default' : 'subtle'}
        loading={begin.isPending && begin.variables === id}
        onClick={() => begin.mutate(id)}
        aria-label={isNew ? i18n.t('Start: {title} on {name}', where) : i18n.t('Start again: {title} on {name}', where)}
      >
        {isNew ? i18n.t('Start') : i18n.t('Start again')}
      </Button>
    </div>
  )
}

function NotThere({ id }: { id: TestbedId }) {
  return <Trans id="can’t be used yet. <0>Show why</0>" components={{ 0: <Link to={`#${placeId(kindOf(id))}`} /> }} />
}

interface ElsewhereProps extends Pick<WayInProps, 'lab' | 'begin'> {
  ways: readonly Pick<WayInProps, 'way' | 'session'>[]
}

/** The other places that can run the lab, each a click away. */
function Elsewhere({ lab, ways, begin }: ElsewhereProps) {
  if (ways.length === 0) return null
  return (
    <div className={`${classes.elsewhere} row tight muted`}>
      <span id={`elsewhere-${lab.id}`}>{i18n.t('Also on')}</span>
      <ul role="list" className="row tight" aria-labelledby={`elsewhere-${lab.id}`}>
        {ways.map(({ way: { id, name }, session }) => (
          <li key={id}>
            {session === undefined ? (
              <button
                type="button"
                onClick={() => begin.mutate(id)}
                aria-label={i18n.t('Start: {title} on {name}', { title: lab.title, name })}
              >
                {name}
              </button>
            ) : (
              <Link
                to={addressOf(session)}
                aria-label={i18n.t('Continue: {title} on {name}', { title: lab.title, name })}
              >
                {name}
              </Link>
            )}
          </li>
        ))}
      </ul>
    </div>
  )
}

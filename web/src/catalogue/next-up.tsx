import { i18n } from '@expresslane/shared/base/language'
import { Trans } from '#language'
import type { ListedLab } from '@expresslane/shared/labs/lab'
import { propertiesOf } from '@expresslane/shared/testbed/id'
import { Link } from 'react-router'
import { Button } from '../components/controls.tsx'
import { ChangeProblem } from '../components/problem-notice.tsx'
import { IconArrowRight } from '../icons.tsx'
import { testbedName } from '../words/format.ts'
import classes from './start.module.css'
import { useBegin } from './use-begin.ts'
import { VerdictWords } from './verdict-words-lazy.tsx'
import {
  addressOf,
  groupsOf,
  latestOf,
  openStep,
  wayOf,
  type ListedSession,
  type Offer,
  type ReadTestbed,
  type Way,
} from './ways.ts'

interface NextUpProps {
  offer: Offer
  place: ReadTestbed
  sessions: readonly ListedSession[]
}

/** The one way on: the session that was used last, the next lab after a finished one, or the first lab. */
export function NextUp({ offer, place, sessions }: NextUpProps) {
  const labs = groupsOf(offer.labs).flatMap((group) => group.labs)
  const labOf = ({ labId }: ListedSession) => labs.find(({ id }) => id === labId)
  const plays = propertiesOf(place.id).isRecorded
  const own = sessions.filter(
    (one) => one.lastRunAt !== null && labOf(one) !== undefined && (plays || !propertiesOf(one.testbed).isRecorded),
  )
  const latest = latestOf(own)
  const last = latest === undefined ? undefined : labOf(latest)
  if (latest !== undefined && last !== undefined && openStep(last, latest) !== null) {
    return <GoOn lab={last} session={latest} />
  }
  const isDone = (lab: ListedLab): boolean => own.some((one) => one.labId === lab.id && openStep(lab, one) === null)
  const after = last === undefined ? 0 : labs.indexOf(last) + 1
  const open = [...labs.slice(after), ...labs.slice(0, after)].filter((lab) => !isDone(lab))
  const next = open.map((lab) => ({ lab, way: wayOf(lab, place, offer) })).find(({ way }) => way.possible !== false)
  if (next === undefined && last === undefined) return null
  return (
    <section aria-labelledby="next" className={`${classes.next} surface stack`}>
      <h2 id="next">{last === undefined ? i18n.t('Begin here') : i18n.t('What comes next')}</h2>
      {last !== undefined && (
        <p>
          {latest === undefined || latest.verdict === null ? (
            i18n.t('You finished “{title}”.', { title: last.title })
          ) : (
            <Trans
              id="You finished “{title}”: <0/>."
              values={{ title: last.title }}
              components={{ 0: <VerdictWords of={latest.verdict} /> }}
            />
          )}
        </p>
      )}
      {next === undefined ? (
        <p>{i18n.t('No other lab can run here. Choose another place below, or walk through a lab again.')}</p>
      ) : (
        <Begin {...next} isFirst={last === undefined} />
      )}
    </section>
  )
}

function GoOn({ lab, session }: { lab: ListedLab; session: ListedSession }) {
  const at = openStep(lab, session) ?? 1
  return (
    <section aria-labelledby="next" className={`${classes.next} surface stack`}>
      <h2 id="next">{i18n.t('Continue where you were')}</h2>
      <p>
        <Trans
          id="<0>{title}</0>, step {at} of {steps}: {step}. On {testbed}."
          values={{
            title: lab.title,
            at,
            steps: lab.steps.length,
            step: lab.steps[at - 1]?.title,
            testbed: testbedName(session.testbed),
          }}
          components={{ 0: <strong /> }}
        />
      </p>
      <div>
        <Button
          component={Link}
          size="lg"
          to={addressOf(session)}
          rightSection={<IconArrowRight size={20} aria-hidden />}
          aria-label={i18n.t('Continue with step {at} of {title}', { at, title: lab.title })}
        >
          {i18n.t('Continue')}
        </Button>
      </div>
    </section>
  )
}

function Begin({ lab, way, isFirst }: { lab: ListedLab; way: Way; isFirst: boolean }) {
  const begin = useBegin(lab.id)
  const start = isFirst ? i18n.t('Start the first lab') : i18n.t('Start the next lab')
  return (
    <>
      <p>
        <Trans
          id="<0>{title}</0>: {question} About {minutes} minutes on {name}."
          values={{ title: lab.title, question: lab.question, minutes: lab.minutes, name: way.name }}
          components={{ 0: <strong /> }}
        />
      </p>
      <div>
        <Button
          size="lg"
          loading={begin.isPending || way.possible === null}
          rightSection={<IconArrowRight size={20} aria-hidden />}
          aria-label={`${start}: ${lab.title}`}
          onClick={() => begin.mutate(way.id)}
        >
          {start}
        </Button>
      </div>
      <ChangeProblem of={begin} />
    </>
  )
}

import { i18n } from '@expresslane/shared/base/language'
import { formatTestbedId } from '@expresslane/shared/testbed/id'
import { beginSession } from '@expresslane/shared/wire/protocol'
import { useMutation } from '@tanstack/react-query'
import { useNavigate } from 'react-router'
import { call } from '../api/request.ts'
import { Button } from '../components/controls.tsx'
import { ChangeProblem } from '../components/problem-notice.tsx'
import { useStored } from '../components/stored.ts'
import { IconPlayerPlay } from '../icons.tsx'
import classes from './start.module.css'
import { playUpTo, tourOf } from './tour-steps.ts'
import { addressOf, type Offer } from './ways.ts'

/** Offers a first visitor to watch the first lab that has a recording. Watched or skipped, it never comes again. */
export function TourOffer({ offer: { labs, recordings } }: { offer: Offer }) {
  const [seen, keepSeen] = useStored('tour')
  const navigate = useNavigate()
  const [tour] = labs.flatMap((lab) => {
    const recording = recordings?.find((one) => one.lab === lab.id && one.picture !== null)
    const steps = tourOf(lab)
    return recording === undefined || steps === null ? [] : [{ lab, recording, steps }]
  })
  const watch = useMutation({
    mutationFn: async ({ lab, recording, steps }: NonNullable<typeof tour>) => {
      const testbed = formatTestbedId({ kind: 'recording', context: recording.id, owner: null })
      const { session } = await call(beginSession, { body: { labId: lab.id, testbed } })
      await playUpTo(session.id, steps.before, recording)
      return session
    },
    onSuccess(session) {
      keepSeen('seen')
      void navigate(`${addressOf(session)}?tour`)
    },
  })
  if (seen !== null || tour === undefined) return null
  return (
    <section aria-labelledby="tour" className={`${classes.next} sunken stack`}>
      <h2 id="tour">{i18n.t('New here?')}</h2>
      <p>
        {i18n.t('A recording of “{title}” plays, with three captions. Nothing is measured on this machine.', {
          title: tour.lab.title,
        })}
      </p>
      <div className="row">
        <Button
          variant="default"
          leftSection={<IconPlayerPlay size={18} aria-hidden />}
          loading={watch.isPending}
          onClick={() => watch.mutate(tour)}
        >
          {i18n.t('Watch how a lab works (60 s)')}
        </Button>
        <Button variant="subtle" onClick={() => keepSeen('seen')}>
          {i18n.t('Skip')}
        </Button>
      </div>
      <ChangeProblem of={watch} />
    </section>
  )
}

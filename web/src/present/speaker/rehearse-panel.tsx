import { i18n } from '@expresslane/shared/base/language'
import { readRehearsal, rehearse, type Rehearsal } from '@expresslane/shared/wire/rehearsal'
import { cancelRun, type Session } from '@expresslane/shared/wire/protocol'
import { call } from '../../api/request.ts'
import { effectWords } from '@expresslane/shared/present/rehearsal-words'
import { Button } from '../../components/controls.tsx'
import { IconPlayerStop, IconTestPipe } from '../../icons.tsx'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useLive } from '../../api/live.tsx'
import { Card } from '../../components/card.tsx'
import { ChangeProblem, FetchProblem } from '../../components/problem-notice.tsx'
import classes from './speaker-window.module.css'

/** Runs the lab quickly before the talk, and reports the steps that work here, their times and the effect's chance. */
export function RehearsePanel({ session }: { session: Session }) {
  const client = useQueryClient()
  const queryKey = ['rehearsal', session.id]
  const latest = useQuery({
    queryKey,
    queryFn: () => call(readRehearsal, { params: { id: session.id } }),
    // The report takes a moment after the last step has ended.
    refetchInterval: ({ state }) => (state.data?.rehearsal?.state === 'running' ? 1_000 : false),
  })
  const onSuccess = () => client.invalidateQueries({ queryKey })
  const begin = useMutation({ mutationFn: () => call(rehearse, { params: { id: session.id } }), onSuccess })
  const cancel = useMutation({
    mutationFn: ({ runId }: Rehearsal) => call(cancelRun, { params: { id: runId } }),
    onSuccess,
  })
  // A step of the rehearsal began or ended.
  const turns = useLive((snapshot) => snapshot.turns)
  useEffect(() => {
    void client.invalidateQueries({ queryKey: ['rehearsal'] })
  }, [client, turns])
  const rehearsal = latest.data?.rehearsal ?? null
  const running = rehearsal?.state === 'running'
  return (
    <Card labelledBy="speaker-rehearsal">
      <h2 id="speaker-rehearsal">{i18n.t('Rehearsal')}</h2>
      <div role="status">{rehearsal === null ? <NotYet /> : <Report rehearsal={rehearsal} />}</div>
      {running ? (
        <Button
          variant="default"
          leftSection={<IconPlayerStop size={18} aria-hidden />}
          loading={cancel.isPending}
          onClick={() => cancel.mutate(rehearsal)}
        >
          {i18n.t('Cancel the rehearsal')}
        </Button>
      ) : (
        <Button
          variant="default"
          leftSection={<IconTestPipe size={18} aria-hidden />}
          loading={begin.isPending}
          onClick={() => begin.mutate()}
        >
          {rehearsal === null ? i18n.t('Rehearse') : i18n.t('Rehearse again')}
        </Button>
      )}
      <ChangeProblem of={begin} />
      {cancel.error !== null && rehearsal !== null && (
        <FetchProblem error={cancel.error} retry={() => cancel.mutate(rehearsal)} />
      )}
    </Card>
  )
}

function NotYet() {
  return (
    <p className={`${classes.below} muted`}>
      {i18n.t(
        'Runs the whole lab here with measurements of one second, in a session of its own, and restores the settings.',
      )}
    </p>
  )
}

function Report({ rehearsal: { state, says, effects } }: { rehearsal: Rehearsal }) {
  const [first, ...rest] = says
  return (
    <div className={`${classes.report} ${classes.below} stack break-anywhere`}>
      <p>
        <strong className={state === 'ready' ? 'good' : state === 'failed' ? 'bad' : ''}>{first}</strong>
      </p>
      {rest.map((sentence) => (
        <p key={sentence}>{sentence}</p>
      ))}
      {/* A single comparison is among the sentences. */}
      {effects.length > 1 && (
        <details>
          <summary className="medium">{i18n.t('Each comparison')}</summary>
          <ul>
            {effects.map((effect) => (
              <li key={`${effect.stepId} ${effect.label}`}>{effectWords(effect)}</li>
            ))}
          </ul>
        </details>
      )}
    </div>
  )
}

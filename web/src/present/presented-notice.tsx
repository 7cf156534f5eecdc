import { i18n } from '@expresslane/shared/base/language'
import { endPresentation, type Presentation } from '@expresslane/shared/wire/presentation'
import type { Lab } from '@expresslane/shared/labs/lab'
import { Button } from '../components/controls.tsx'
import { useMutation } from '@tanstack/react-query'
import { Link } from 'react-router'
import { ChangeProblem } from '../components/problem-notice.tsx'
import { Notice } from '../components/notice.tsx'
import { call } from '../api/request.ts'
import classes from './presented-notice.module.css'

/** For somebody who left the presenter's view: the talk goes on. */
export function PresentedNotice({ lab, now }: { lab: Lab; now: Presentation }) {
  const end = useMutation({ mutationFn: () => call(endPresentation) })
  const base = `/labs/${lab.id}/sessions/${now.sessionId}`
  const step = lab.steps.find(({ id }) => id === now.stepId)
  return (
    <div className={classes.notice}>
      <Notice tone="info" title={i18n.t('You are presenting this session')}>
        <p>
          {i18n.t(
            'The room sees the step “{title}”. {followers, plural, one {# person follows} other {# people follow}}.',
            { title: step?.title ?? now.stepId, followers: now.followers },
          )}
        </p>
        <div className="row">
          <Button component={Link} to={`${base}/${now.stepId}?present`}>
            {i18n.t('Back to presenting')}
          </Button>
          <Button variant="default" component="a" href={`${base}?speaker`} target="expresslane-speaker">
            {i18n.t('Speaker’s window')}
          </Button>
          <Button variant="default" loading={end.isPending} onClick={() => end.mutate()}>
            {i18n.t('End the talk')}
          </Button>
        </div>
        <ChangeProblem of={end} />
      </Notice>
    </div>
  )
}

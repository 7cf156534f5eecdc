import { i18n } from '@expresslane/shared/base/language'
import { Button, Skeleton } from '../../components/controls.tsx'
import { useMutation } from '@tanstack/react-query'
import { useEffect } from 'react'
import { createOwnLink } from '@expresslane/shared/wire/board'
import { call } from '../../api/request.ts'
import { Dialog, DialogButtons } from '../../components/dialog/dialog.tsx'
import { FetchProblem } from '../../components/problem-notice.tsx'
import { formatTime } from '../../words/format.ts'
import { LinkView } from '../entry/link-view.tsx'

/** A participant's personal link: opens their sessions in another browser. */
export function OwnLink({ onClose }: { onClose: () => void }) {
  const make = useMutation({ mutationFn: () => call(createOwnLink) })
  const { mutate } = make
  useEffect(() => mutate(), [mutate])
  return (
    <Dialog title={i18n.t('Use another device')} onClose={onClose}>
      {make.data !== undefined && <LinkView link={make.data.link} what={i18n.t('your personal link')} />}
      {make.isPending && <Skeleton height={132} />}
      {make.error !== null && <FetchProblem error={make.error} retry={() => mutate()} />}
      <p className="muted">
        {i18n.t(
          'Scan the code, or open the link there: your labs and results are the same on all your devices. Keep it to yourself, because it opens your labs without a password.',
        )}
        {make.data !== undefined &&
          ` ${i18n.t('It works until {time}.', { time: formatTime(make.data.invitation.expiresAt) })}`}
      </p>
      <DialogButtons>
        <Button onClick={onClose}>{i18n.t('Done')}</Button>
      </DialogButtons>
    </Dialog>
  )
}

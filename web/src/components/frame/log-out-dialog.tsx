import { i18n } from '@expresslane/shared/base/language'
import type { Me, Role } from '@expresslane/shared/wire/room'
import { Button } from '../controls.tsx'
import { useMutation } from '@tanstack/react-query'
import { logOut } from '../../api/log-out.ts'
import { Dialog, DialogButtons } from '../dialog/dialog.tsx'
import { ChangeProblem } from '../problem-notice.tsx'

const consequences: Readonly<Record<Role, string>> = {
  instructor: /*i18n*/ 'To come back, open your link. In a terminal, npm run data -- link prints it.',
  participant:
    /*i18n*/ 'The next person on this computer starts as somebody else. Your results stay with the instructor. To go on later as yourself, first press “Use another device” and open that link elsewhere.',
  viewer: /*i18n*/ 'To follow again, scan the code on the screen in the room.',
}

export function LogOutDialog({ me: { role, name }, onClose }: { me: Me; onClose: () => void }) {
  const leave = useMutation({ mutationFn: () => logOut(role === 'instructor' ? '/' : '/join') })
  return (
    <Dialog
      title={role === 'participant' ? i18n.t('Log out, {name}?', { name }) : i18n.t('Log out of this browser?')}
      onClose={onClose}
    >
      <p>{i18n.t(consequences[role])}</p>
      <ChangeProblem of={leave} />
      <DialogButtons>
        <Button variant="default" onClick={onClose}>
          {i18n.t('Stay')}
        </Button>
        <Button loading={leave.isPending} onClick={() => leave.mutate()}>
          {i18n.t('Log out')}
        </Button>
      </DialogButtons>
    </Dialog>
  )
}

import type { Me, Role } from '@expresslane/shared/wire/room'
import { Button } from '../controls.tsx'
import { useMutation } from '@tanstack/react-query'
import { logOut } from '../../api/log-out.ts'
import { Dialog, DialogButtons } from '../dialog/dialog.tsx'
import { ChangeProblem } from '../problem-notice.tsx'

const consequences: Readonly<Record<Role, string>> = {
  instructor: 'To come back, open your link. In a terminal, npm run data -- link prints it.',
  participant:
    'The next person on this computer starts as somebody else. Your results stay with the instructor. To go on later as yourself, first press “Use another device” and open that link elsewhere.',
  viewer: 'To follow again, scan the code on the screen in the room.',
}

export function LogOutDialog({ me: { role, name }, onClose }: { me: Me; onClose: () => void }) {
  const leave = useMutation({ mutationFn: () => logOut(role === 'instructor' ? '/' : '/join') })
  return (
    <Dialog title={role === 'participant' ? `Log out, ${name}?` : 'Log out of this browser?'} onClose={onClose}>
      <p>{consequences[role]}</p>
      <ChangeProblem of={leave} />
      <DialogButtons>
        <Button variant="default" onClick={onClose}>
          Stay
        </Button>
        <Button loading={leave.isPending} onClick={() => leave.mutate()}>
          Log out
        </Button>
      </DialogButtons>
    </Dialog>
  )
}

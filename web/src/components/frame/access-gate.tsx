import { LabError } from '@expresslane/shared/base/errors'
import { IconKey, IconPresentation } from '../../icons.tsx'
import type { ReactNode } from 'react'
import { useLabs, useMe } from '../../api/queries.ts'
import { Card } from '../card.tsx'
import { Button, TextInput } from '../controls.tsx'

/** Shows the page to visitors with the token's cookie, and asks others for the token. */
export function AccessGate({ children }: { children: ReactNode }) {
  const { error } = useLabs()
  const me = useMe()
  if (me.data?.role === 'viewer') return <FollowerCard />
  if (!(error instanceof LabError) || error.code !== 'unauthorized') return children
  return (
    <Card narrow>
      <IconKey size={32} stroke={1.6} aria-hidden />
      <h1>This page needs the link from your terminal</h1>
      <p>
        Expresslane runs commands on this machine, so it accepts only requests with its token. Open the link that{' '}
        <code>npm start</code> printed, or that <code>npm run data -- link</code> prints, or paste the token from its
        end.
      </p>
      <TokenForm />
      <p>
        In a workshop? <a href="/join">Join with your code</a>
      </p>
    </Card>
  )
}

/** Opens the page with a token that somebody pastes. */
function TokenForm() {
  return (
    <form action="/open" method="get" className="stack">
      <TextInput name="token" label="Token" required autoComplete="off" spellCheck={false} />
      <div>
        <Button type="submit">Open</Button>
      </div>
    </form>
  )
}

function FollowerCard() {
  return (
    <Card narrow>
      <IconPresentation size={32} stroke={1.6} aria-hidden />
      <h1>You follow the presentation</h1>
      <p>
        <a href="/follow">See what is presented</a>. To do the labs yourself, <a href="/join">join as a participant</a>{' '}
        with a code from the instructor.
      </p>
    </Card>
  )
}

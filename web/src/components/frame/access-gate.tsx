import { LabError } from '@expresslane/shared/wire/errors'
import { Button, TextInput } from '@mantine/core'
import { IconKey } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useLabs } from '../../api/queries.ts'
import { Card } from '../card.tsx'

/** Shows the page to visitors with the token's cookie, and asks others for the token. */
export function AccessGate({ children }: { children: ReactNode }) {
  const { error } = useLabs()
  if (!(error instanceof LabError) || error.code !== 'unauthorized') return children
  return (
    <Card narrow>
      <IconKey size={32} stroke={1.6} aria-hidden />
      <h1>This page needs the link from your terminal</h1>
      <p>
        Expresslane runs commands on this machine, so it accepts only requests with its token. Open the link that{' '}
        <code>npm start</code> printed, or paste the token from the end of that link.
      </p>
      <form action="/open" method="get">
        <TextInput name="token" label="Token" required autoComplete="off" spellCheck={false} mb="md" />
        <Button type="submit">Open</Button>
      </form>
    </Card>
  )
}

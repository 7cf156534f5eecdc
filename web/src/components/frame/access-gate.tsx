import { LabError } from '@expresslane/shared/wire/errors'
import { Button, TextInput } from '@mantine/core'
import { IconKey } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useLabs } from '../../api/queries.ts'
import { Card } from '../card.tsx'

/** Shows the page to those who hold the token's cookie, and tells others how to get it. */
export function AccessGate({ children }: { children: ReactNode }) {
  const { error } = useLabs()
  if (!(error instanceof LabError) || error.code !== 'unauthorized') return children
  return (
    <Card narrow>
      <IconKey size={32} stroke={1.6} aria-hidden />
      <h1>This page needs the link from your terminal</h1>
      <p>
        Expresslane runs privileged commands on this machine, so it answers only to those who hold its token. Open the
        link that <code>npm start</code> printed, or paste the token that stands at its end.
      </p>
      <form action="/open" method="get">
        <TextInput name="token" label="Token" required autoComplete="off" spellCheck={false} mb="md" />
        <Button type="submit">Open</Button>
      </form>
    </Card>
  )
}

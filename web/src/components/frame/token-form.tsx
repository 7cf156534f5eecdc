import { Button, TextInput } from '@mantine/core'

/** Opens the page with a token that somebody pastes. */
export function TokenForm() {
  return (
    <form action="/open" method="get">
      <TextInput name="token" label="Token" required autoComplete="off" spellCheck={false} mb="md" />
      <Button type="submit">Open</Button>
    </form>
  )
}

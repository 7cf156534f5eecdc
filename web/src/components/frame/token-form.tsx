import { Button, TextInput } from '../controls.tsx'

/** Opens the page with a token that somebody pastes. */
export function TokenForm() {
  return (
    <form action="/open" method="get" className="stack">
      <TextInput name="token" label="Token" required autoComplete="off" spellCheck={false} />
      <div>
        <Button type="submit">Open</Button>
      </div>
    </form>
  )
}

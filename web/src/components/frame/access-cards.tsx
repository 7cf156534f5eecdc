import { Link } from 'react-router'
import { i18n } from '@expresslane/shared/base/language'
import { Trans } from '#language'
import { IconKey, IconPresentation } from '../../icons.tsx'
import { Card } from '../card.tsx'
import { Button, TextInput } from '../controls.tsx'

/** Asks a visitor without a login for the token. */
export function TokenCard() {
  return (
    <Card narrow>
      <IconKey size={32} stroke={1.6} aria-hidden />
      <h1>{i18n.t('This page needs the link from your terminal')}</h1>
      <p>
        <Trans
          id="Expresslane runs commands on this machine, so it accepts only requests with its token. Open the link that <0>npm start</0> printed, or that <1>npm run data -- link</1> prints, or paste the token from its end."
          components={{ 0: <code />, 1: <code /> }}
        />
      </p>
      <TokenForm />
      <p>
        <Trans id="In a workshop? <0>Join with your code</0>" components={{ 0: <Link reloadDocument to="/join" /> }} />
      </p>
    </Card>
  )
}

/** Opens the page with a token that somebody pastes. */
function TokenForm() {
  return (
    <form action="/open" method="get" className="stack">
      <TextInput name="token" label={i18n.t('Token')} required autoComplete="off" spellCheck={false} />
      <div>
        <Button type="submit">{i18n.t('Open')}</Button>
      </div>
    </form>
  )
}

/** Leads a follower to the presentation. */
export function FollowerCard() {
  return (
    <Card narrow>
      <IconPresentation size={32} stroke={1.6} aria-hidden />
      <h1>{i18n.t('You follow the presentation')}</h1>
      <p>
        <Trans
          id="<0>See what is presented</0>. To do the labs yourself, <1>join as a participant</1> with a code from the instructor."
          components={{ 0: <Link reloadDocument to="/follow" />, 1: <Link reloadDocument to="/join" /> }}
        />
      </p>
    </Card>
  )
}

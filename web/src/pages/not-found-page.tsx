import { i18n } from '@expresslane/shared/base/language'
import { Link } from 'react-router'
import { Empty, Page } from '../components/card.tsx'

export function NotFoundPage() {
  return (
    <Page>
      <h1 className="hidden">{i18n.t('Page not found')}</h1>
      <Empty title={i18n.t('Page not found')}>
        <Link to="/">{i18n.t('Back to the labs')}</Link>
      </Empty>
    </Page>
  )
}

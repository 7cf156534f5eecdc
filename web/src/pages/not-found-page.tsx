import { Link } from 'react-router'
import { Empty, Page } from '../components/card.tsx'

export function NotFoundPage() {
  return (
    <Page>
      <h1 className="hidden">Page not found</h1>
      <Empty title="Page not found">
        <Link to="/">Back to the labs</Link>
      </Empty>
    </Page>
  )
}

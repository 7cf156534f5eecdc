import { Link } from 'react-router'
import { Empty, Page } from '../components/card.tsx'

export function NotFoundPage() {
  return (
    <Page>
      <h1 className="hidden">No such page</h1>
      <Empty title="There is no such page">
        <Link to="/">Back to the labs</Link>
      </Empty>
    </Page>
  )
}

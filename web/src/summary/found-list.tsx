import { briefWords } from '@expresslane/shared/compare/brief'
import type { Found } from '@expresslane/shared/report/across-labs'
import { Link } from 'react-router'
import { Card } from '../components/card.tsx'
import { formatDay, testbedName } from '../words/format.ts'
import classes from './summary.module.css'

/** Each lab with its verdict, the sentence behind the verdict, and where it was measured. */
export function FoundList({ found }: { found: readonly Found[] }) {
  return (
    <ul role="list" className="stack wide">
      {found.map(({ lab, session, verdict }) => (
        <li key={lab.id}>
          <Card labelledBy={`found-${lab.id}`}>
            <div className="row between baseline">
              <h2 id={`found-${lab.id}`} className={classes.lab}>
                <Link to={`/labs/${lab.id}/sessions/${session.id}/summary`}>{lab.title}</Link>
              </h2>
              <strong className="large">{briefWords(verdict)}</strong>
            </div>
            <p className="muted pretty">{lab.question}</p>
            <p className={`${classes.sentence} pretty`}>{verdict.sentence}</p>
            <p className="muted break-anywhere">
              {testbedName(session.testbed)}, {formatDay(verdict.at)}
            </p>
          </Card>
        </li>
      ))}
    </ul>
  )
}

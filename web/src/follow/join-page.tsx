import { useEffect } from 'react'
import { Card } from '../components/card.tsx'
import classes from './follow.module.css'
import { Frame } from './frame.tsx'
import { JoinForm } from './join-form-lazy.tsx'

/** Where a participant's link leads, and where a code is typed. */
export function JoinPage() {
  useEffect(() => {
    document.title = 'Join · Expresslane'
  }, [])
  return (
    <Frame title="Join the workshop">
      <Card>
        <div className={classes.stack}>
          <p>You get your own testbed and do the labs yourself.</p>
          <JoinForm asks="all" />
        </div>
      </Card>
    </Frame>
  )
}

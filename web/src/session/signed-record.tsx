import { i18n } from '@expresslane/shared/base/language'
import type { Lab } from '@expresslane/shared/labs/lab'
import { isComplete } from '@expresslane/shared/run/progress'
import { factsOfRun } from '@expresslane/shared/run/run-facts'
import type { RunState } from '@expresslane/shared/run/run-state'
import { propertiesOf } from '@expresslane/shared/testbed/id'
import type { Session } from '@expresslane/shared/wire/protocol'
import { downloadRecord } from '@expresslane/shared/wire/room'
import { useMe } from '../api/queries.ts'
import { addressOf } from '../api/request.ts'
import { Button } from '../components/controls.tsx'

interface SignedRecordProps {
  lab: Lab
  session: Session
  runs: readonly RunState[]
}

/** Once the lab is complete, on a server that signs records: the record of all labs that the person completed. */
export function SignedRecord({ lab, session, runs }: SignedRecordProps) {
  const { data: me } = useMe()
  const counts = me?.records === true && session.owner === me.id && !propertiesOf(session.testbed).isRecorded
  if (!counts || !isComplete(lab, runs.map(factsOfRun))) return null
  return (
    <Button component="a" variant="default" href={addressOf(downloadRecord, {})} download>
      {i18n.t('Get a signed record')}
    </Button>
  )
}

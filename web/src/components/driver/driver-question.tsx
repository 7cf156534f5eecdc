import { i18n } from '@expresslane/shared/base/language'
import { Trans } from '#language'
import type { Driver } from '@expresslane/shared/wire/protocol'
import { parseTestbedId, type TestbedId } from '@expresslane/shared/testbed/id'
import { Button } from '../controls.tsx'
import { ANSWER_MS, useDriving, useDrivers } from '../../api/driver.ts'
import { Notice } from '../notice.tsx'
import { ChangeProblem } from '../problem-notice.tsx'
import { TimeLeft } from '../run/time-left.tsx'

/** Somebody asks this person, who drives a cluster, to let them drive. On every page, because the answer is due in a minute. */
export function DriverQuestions({ person }: { person: string }) {
  const drivers = useDrivers()
  return [...(drivers ?? [])].map(
    ([testbed, { person: driving, asked }]) =>
      driving === person && asked !== null && <Question key={testbed} testbed={testbed} asked={asked} />,
  )
}

function Question({ testbed, asked }: { testbed: TestbedId; asked: NonNullable<Driver['asked']> }) {
  const { ask: keep, giveBack } = useDriving(testbed)
  const pending = keep.isPending || giveBack.isPending
  return (
    <Notice
      tone="warn"
      title={i18n.t('{name} asks to drive {testbed}', { name: asked.name, testbed: nameOf(testbed) })}
    >
      <p>
        <Trans
          id="Without an answer they can take over <0/>."
          components={{ 0: <TimeLeft until={asked.at + ANSWER_MS} /> }}
        />
      </p>
      <div className="row">
        <Button size="compact-md" disabled={pending} onClick={() => keep.mutate()}>
          {i18n.t('Keep driving')}
        </Button>
        <Button variant="default" size="compact-md" disabled={pending} onClick={() => giveBack.mutate()}>
          {i18n.t('Let them drive')}
        </Button>
      </div>
      <ChangeProblem of={keep} />
      <ChangeProblem of={giveBack} />
    </Notice>
  )
}

function nameOf(testbed: TestbedId): string {
  const { context } = parseTestbedId(testbed)
  return context === null ? i18n.t('the cluster') : i18n.t('cluster {context}', { context })
}

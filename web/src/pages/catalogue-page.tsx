import { i18n } from '@expresslane/shared/base/language'
import { hasTopologies, kindOf, parseTestbedId, type TestbedId, propertiesOf } from '@expresslane/shared/testbed/id'
import { Skeleton } from '../components/controls.tsx'
import { useQueryClient } from '@tanstack/react-query'
import { lazy, useEffect } from 'react'
import { useLive } from '../api/live.tsx'
import type { ListedLab } from '@expresslane/shared/labs/lab'
import type { TestbedView } from '@expresslane/shared/wire/protocol'
import { otherTopologies, type OtherTopology } from '@expresslane/shared/features/topology'
import { useDataDirectory, useKnownTestbeds, useLabs, useMe, useSessions, useTestbeds } from '../api/queries.ts'
import { Page } from '../components/card.tsx'
import { LanguageChoice } from '../components/language-choice.tsx'
import { FetchProblem } from '../components/problem-notice.tsx'
import {
  availabilityOf,
  groupsOf,
  LabCard,
  LabProblems,
  NextUp,
  PlaceChoice,
  placeOf,
  SteadierTestbed,
  TestbedCard,
  TourOffer,
  TryHere,
} from '../catalogue/index.ts'
import { useRecordings } from '../recordings/index.ts'
import { useStored } from '../components/stored.ts'
import classes from './catalogue-page.module.css'
import { OnDemand } from '../components/on-demand.tsx'

/** Rarely needed. */
const DataNotices = lazy(async () => ({ default: (await import('../history/index.ts')).DataNotices }))

/** Whether a testbed can be used at all: a cluster or a recording is chosen by an instructor. */
function isChosen(id: TestbedId): boolean {
  return hasTopologies(kindOf(id)) || parseTestbedId(id).context !== null
}

/** The other testbeds of a machine that run any of the labs. @param view undefined while it is not known */
function topologiesOf(id: TestbedId, view: TestbedView | undefined, labs: readonly ListedLab[]): OtherTopology[] {
  const able = labs.filter((lab) => view === undefined || availabilityOf(lab, view).lacking.length === 0)
  const features = able.map(({ feature }) => feature)
  return otherTopologies(features, id)
}

/** The way on, the place for all labs, the labs by track, and the testbeds that they run on. */
export function CataloguePage() {
  const labs = useLabs()
  const me = useMe().data
  const participant = me?.role === 'participant'
  // Participants can't choose a cluster, and they play back any recording.
  const ids = (labs.data?.testbeds ?? []).filter((id) => !participant || isChosen(id) || propertiesOf(id).isRecorded)
  const queries = useTestbeds(ids)
  const sessions = useSessions()
  const client = useQueryClient()
  const turns = useLive((snapshot) => snapshot.turns)
  useEffect(() => {
    if (turns > 0) void client.invalidateQueries({ queryKey: ['testbed'] })
  }, [turns, client])
  const listed = (labs.data?.labs ?? []).filter((lab) => lab.listed)
  const topologies = ids.map((id, index) => topologiesOf(id, queries[index]?.data, listed))
  const known = useKnownTestbeds(topologies.flat().map(({ testbed }) => testbed))
  const testbeds = ids.map((id, index) => ({
    id,
    testbed: queries[index]?.data ?? null,
    failed: queries[index]?.isError ?? false,
    others: known.flatMap((one) =>
      one !== null && topologies[index]?.some(({ testbed }) => testbed === one.id) === true ? [one] : [],
    ),
  }))
  // An instructor reads everybody's sessions, and continues only their own from here.
  const own = me && sessions.data?.sessions.filter(({ owner }) => owner === me.id)
  const [wanted, want] = useStored('place')
  const recordings = useRecordings().data?.recordings ?? null
  const offer = { labs: listed, places: testbeds, recordings }
  const place = placeOf(wanted, offer)
  const store = useDataDirectory().data
  const failed = [labs, sessions].find(({ error }) => error !== null)
  return (
    <Page>
      <Intro />
      {store !== undefined && store.damaged.length > 0 && (
        <OnDemand>
          <DataNotices data={store} />
        </OnDemand>
      )}
      {failed !== undefined && <FetchProblem error={failed.error} retry={() => void failed.refetch()} />}
      <div className={classes.first}>
        {place !== undefined && own !== undefined && <NextUp offer={offer} place={place} sessions={own} />}
        {own?.length === 0 && <TourOffer offer={offer} />}
        <TryHere offer={offer} />
      </div>
      <section aria-label={i18n.t('Labs')} className="stack wide">
        <LabProblems problems={labs.data?.problems ?? []} />
        {testbeds.length > 0 && <PlaceChoice offer={offer} chosen={place} onChoose={want} />}
        <SteadierTestbed labs={listed} testbeds={testbeds} />
        {groupsOf(listed).map(({ id, title, about, labs: inTrack }) => (
          <section key={id} aria-labelledby={`track-${id}`}>
            <h2 id={`track-${id}`} className={classes.heading}>
              {title}
            </h2>
            {about !== null && <p className={`${classes.about} muted pretty`}>{about}</p>}
            <ol role="list" className={classes.labs}>
              {inTrack.map((lab) => (
                <li key={lab.id}>
                  <LabCard lab={lab} offer={offer} place={place} sessions={own ?? null} />
                </li>
              ))}
            </ol>
          </section>
        ))}
        {labs.isPending && (
          <ul role="list" className={classes.labs}>
            {[1, 2].map((key) => (
              <Skeleton key={key} component="li" height={330} />
            ))}
          </ul>
        )}
      </section>
      <section aria-labelledby="testbeds">
        <h2 id="testbeds" className={classes.heading}>
          {i18n.t('Where they run')}
        </h2>
        <div className={classes.testbeds}>
          {testbeds.map(({ id, testbed }, index) => (
            <TestbedCard
              // The card stays mounted when another context is chosen.
              key={kindOf(id)}
              id={id}
              testbed={testbed}
              topologies={topologies[index] ?? []}
              error={queries[index]?.error ?? null}
              retry={() => void queries[index]?.refetch()}
              sessions={(sessions.data?.sessions ?? []).filter((one) => one.testbed === id)}
            />
          ))}
          {labs.isPending && <Skeleton height={260} />}
        </div>
      </section>
      <LanguageChoice />
    </Page>
  )
}

function Intro() {
  return (
    <div className={classes.intro}>
      <h1>{i18n.t('Benchmark labs on a real datapath')}</h1>
      <p>
        {i18n.t(
          'Real tools, a real kernel, your own numbers. Each lab leads you from a question to a measured answer, with a comparison of before and after.',
        )}
      </p>
    </div>
  )
}

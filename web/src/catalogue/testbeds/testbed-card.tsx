import { i18n } from '@expresslane/shared/base/language'
import { formatFixed } from '@expresslane/shared/base/units'
import { capitalized } from '@expresslane/shared/features/words'
import type { SessionsResponse, TestbedView } from '@expresslane/shared/wire/protocol'
import type { OtherTopology } from '@expresslane/shared/features/topology'
import { kindOf, type TestbedId } from '@expresslane/shared/testbed/id'
import type { TestbedFacts, TestbedKind } from '@expresslane/shared/testbed/testbed'
import { kinds } from '@expresslane/shared/testbed/kinds'
import { Button, Skeleton } from '../../components/controls.tsx'
import { IconRefresh } from '../../icons.tsx'
import { lazy, type ReactNode } from 'react'
import { Link } from 'react-router'
import { useHolder } from '../../api/live.tsx'
import { useTestbedChange, type TestbedChange } from '../../api/queries.ts'
import { testbedName } from '../../words/format.ts'
import { ChangeProblem, FetchProblem, ProblemNotice } from '../../components/problem-notice.tsx'
import { RunBadge } from '../../components/run/run-badge.tsx'
import { FactList } from '../../components/fact-list.tsx'
import { RecordingList } from '../../recordings/index.ts'
import { OtherPreflight, PreflightFold } from './preflight-fold.tsx'
import classes from './testbed-card.module.css'
import { OnDemand } from '../../components/on-demand.tsx'

/** Loaded on demand: it describes settings, for which it needs all features. */
const KeptOnCard = lazy(async () => ({ default: (await import('./kept-on-card.tsx')).KeptOnCard }))
/** Loaded on demand: most pages show no cluster. */
const DriverNotice = lazy(async () => ({
  default: (await import('../../components/driver/driver-notice.tsx')).DriverNotice,
}))
const ContextPicker = lazy(async () => ({ default: (await import('./context-picker.tsx')).ContextPicker }))
const ClusterView = lazy(async () => ({ default: (await import('./cluster-view.tsx')).ClusterView }))

type ListedSession = SessionsResponse['sessions'][number]

interface TestbedCardProps {
  id: TestbedId
  /** Null while it loads. */
  testbed: TestbedView | null
  /** The same machine's testbeds for other labs. */
  topologies: readonly OtherTopology[]
  /** Why it could not be loaded. */
  error: Error | null
  retry: () => void
  /** The sessions on it. */
  sessions: readonly ListedSession[]
}

/** The facts of a testbed and the results of its preflight. */
export function TestbedCard({ id, testbed, topologies, error, retry, sessions }: TestbedCardProps) {
  const kind = kindOf(id)
  const change = useTestbedChange(id)
  const name = capitalized(testbedName(id))
  if (kinds[kind].isRecorded) {
    return (
      <CardFrame kind={kind} name={i18n.t('Recordings')}>
        {error !== null && <FetchProblem error={error} retry={retry} />}
        <RecordingList testbed={testbed} change={change} />
      </CardFrame>
    )
  }
  if (testbed === null) {
    return (
      <CardFrame kind={kind} name={name}>
        {error === null ? (
          <>
            <p role="status" className="muted">
              {kinds[kind].isCluster
                ? i18n.t('Connecting to the cluster and its agents. This can take a while when one does not respond.')
                : i18n.t('Checking what this testbed can do…')}
            </p>
            <Skeleton height={180} />
          </>
        ) : (
          <FetchProblem error={error} retry={retry} />
        )}
      </CardFrame>
    )
  }
  return (
    <CardFrame kind={kind} name={name} aside={<CheckAgain testbed={testbed} probe={change.probe} />}>
      <Content testbed={testbed} topologies={topologies} change={change} sessions={sessions} />
    </CardFrame>
  )
}

interface CardFrameProps {
  kind: TestbedKind
  name: string
  aside?: ReactNode
  children: ReactNode
}

function CardFrame({ kind, name, aside, children }: CardFrameProps) {
  const id = `testbed-${kind}`
  return (
    <article id={kind} className={classes.card} aria-labelledby={id}>
      <div className={`${classes.head} row between top`}>
        <h3 id={id}>{name}</h3>
        {aside}
      </div>
      {children}
    </article>
  )
}

function CheckAgain({ testbed, probe }: { testbed: TestbedView; probe: TestbedChange['probe'] }) {
  const holder = useHolder(testbed.id)
  if (holder !== null) return <RunBadge look="running" />
  return (
    <Button
      variant="subtle"
      size="compact-md"
      leftSection={<IconRefresh size={18} aria-hidden />}
      loading={probe.isPending}
      onClick={() => probe.mutate()}
    >
      {i18n.t('Check again')}
    </Button>
  )
}

interface ContentProps extends Pick<TestbedCardProps, 'sessions' | 'topologies'> {
  testbed: TestbedView
  change: TestbedChange
}

function Content({ testbed, topologies, change, sessions }: ContentProps) {
  const { facts, problem, contexts } = testbed
  const holder = useHolder(testbed.id)
  // Leaves out the check that repeats the problem shown above.
  const preflight = testbed.preflight.filter((check) => check.problem === null || check.problem !== problem?.code)
  // No kubeconfig, or no chosen context, is not an error.
  const unused = kinds[testbed.kind].isCluster && (contexts.length === 0 || problem?.code === 'context_not_chosen')
  return (
    <>
      {holder !== null && (
        <p>
          {i18n.t('A step is running here.')}{' '}
          {holder.runId !== null && <Link to={`/runs/${holder.runId}`}>{i18n.t('Show the run')}</Link>}
        </p>
      )}
      <ChangeProblem of={change.probe} />
      {kinds[testbed.kind].clock !== null && (
        <p className="muted">
          {i18n.t(
            'A virtual machine whose clock counts instructions: its figures are the same on a busy machine. It starts with the first step that you run, which takes some seconds and 520 MB of memory.',
          )}
        </p>
      )}
      {kinds[testbed.kind].isOwners && facts !== null && (
        <p className="muted break-anywhere">
          {i18n.t(
            'The labs run on {name}, in network namespaces of their own. ssh brings their programs there, into memory, and everything ends with the connection.',
            { name: facts.name },
          )}
        </p>
      )}
      {contexts.length > 0 && (
        <OnDemand>
          <ContextPicker testbed={testbed} move={change.move} />
        </OnDemand>
      )}
      {kinds[testbed.kind].isCluster && facts !== null && (
        <OnDemand>
          <DriverNotice testbed={testbed.id} />
        </OnDemand>
      )}
      {problem !== null && <ProblemNotice problem={problem} tone={unused ? 'info' : 'warn'} />}
      {testbed.toRestore !== null && (
        <OnDemand>
          <KeptOnCard testbed={testbed} sessions={sessions} />
        </OnDemand>
      )}
      {facts !== null &&
        (facts.cluster === null ? (
          <MachineFacts facts={facts} />
        ) : (
          <OnDemand>
            <ClusterView cluster={facts.cluster} />
          </OnDemand>
        ))}
      <PreflightFold name={i18n.t('Preflight')} checks={preflight} />
      {facts !== null && topologies.map((one) => <OtherPreflight key={one.testbed} of={one} />)}
    </>
  )
}

function MachineFacts({ facts }: { facts: TestbedFacts }) {
  return (
    <FactList
      facts={[
        [i18n.t('Kernel'), facts.kernel],
        [i18n.t('System'), facts.os],
        ['CPU', `${facts.cpu.count} × ${facts.cpu.model}`],
        // Neither governor nor load changes the count of instructions.
        ...(facts.instructionsPerMicrosecond === null
          ? ([
              [i18n.t('Governor'), facts.cpu.governor],
              [
                i18n.t('Load'),
                facts.load === null ? null : i18n.t('{load} (1 minute)', { load: formatFixed(facts.load, 2) }),
              ],
            ] as const)
          : []),
        [i18n.t('Nodes'), facts.nodes.join(', ')],
        ...Object.entries(facts.versions),
      ]}
    />
  )
}

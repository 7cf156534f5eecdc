import { i18n } from '@expresslane/shared/base/language'
import type { Lab } from '@expresslane/shared/labs/lab'
import type { Session, TestbedView } from '@expresslane/shared/wire/protocol'
import { propertiesOf } from '@expresslane/shared/testbed/id'
import { useCallback, useEffect, useLayoutEffect, useRef, useSyncExternalStore } from 'react'
import { useNavigate } from 'react-router'
import { useIsInstructor } from '../api/queries.ts'
import { preloadCharts } from '../charts/lazy.tsx'
import { PathPanel } from '../features/index.ts'
import { focusOf, stepMove } from './keys.ts'
import { shownFamily } from '../result/index.ts'
import { useSharing } from '../api/hands.ts'
import { HelpBar } from '../help/index.tsx'
import { LabHeader } from './lab-header.tsx'
import { CompactSteps, StepList } from './step-list.tsx'
import { RecordingBanner } from '../recordings/index.ts'
import { StepView } from './step-view.tsx'
import { useRunner, useSessionState } from './use-session-state.ts'
import { OnDemand } from '../components/on-demand.tsx'
import { TerminalDock, useTerminalsShown, WatchedDock } from '../terminal/index.ts'
import classes from './session-view.module.css'

interface SessionViewProps {
  lab: Lab
  session: Session
  testbed: TestbedView | null
  stepId: string | null
}

/** Steps on the left, the step in the middle, the path on the right; stacked in a narrow window. */
export function SessionView({ lab, session, testbed, stepId }: SessionViewProps) {
  const state = useSessionState(lab, session)
  const runner = useRunner(session)
  const instructor = useIsInstructor()
  const navigate = useNavigate()
  const narrow = useMediaQuery('(max-width: 900px)')
  const heading = useRef<HTMLHeadingElement>(null)
  const [wantsTerminals, toggleTerminals] = useTerminalsShown()
  const sharing = useSharing(session.id)
  const watched = sharing !== null && sharing.terminals.length > 0
  const hasTerminals = !watched && wantsTerminals && !propertiesOf(session.testbed).isRecorded
  const first = state.progress.findIndex(({ status }) => status !== 'passed' && status !== 'read')
  const asked = lab.steps.findIndex(({ id }) => id === stepId)
  // Without a step in the address: the next open step, or the first step of a new session.
  const started = state.runs.length > 0
  const index = asked >= 0 ? asked : started ? Math.max(0, first) : 0
  const base = `/labs/${lab.id}/sessions/${session.id}`
  const current = state.progress[index]

  const go = useCallback(
    (to: number) => {
      const step = lab.steps[to]
      if (step !== undefined) void navigate(`${base}/${step.id}`)
    },
    [lab, base, navigate],
  )

  // With the step itself: a key that is pressed as soon as it shows must count.
  useLayoutEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      const move = stepMove(event, focusOf(event.target))
      if (move === null) return
      event.preventDefault()
      if (move === 'present') return void (instructor && navigate(`${base}/${current?.step.id ?? ''}?present`))
      go(move === 'next' ? index + 1 : index - 1)
    }
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [go, index, navigate, base, current?.step.id, instructor])

  const shown = useRef(index)
  useEffect(() => {
    if (shown.current === index) return
    shown.current = index
    heading.current?.focus({ preventScroll: true })
    window.scrollTo({ top: 0 })
  }, [index])

  useEffect(preloadCharts, [])

  if (current === undefined) return null
  const Steps = narrow ? CompactSteps : StepList
  return (
    <div className={`${classes.view} stack apart`} data-terminals={hasTerminals || watched || undefined}>
      <div className="stack all-columns">
        {propertiesOf(session.testbed).isRecorded && (
          <RecordingBanner testbed={session.testbed} run={state.runs.at(-1) ?? null} />
        )}
        <LabHeader
          lab={lab}
          session={session}
          testbed={testbed}
          state={state}
          runner={runner}
          onReset={() => go(0)}
          onTerminals={toggleTerminals}
        />
        <HelpBar session={session} stepId={current.step.id} />
      </div>
      <nav aria-label={i18n.t('Steps')} className={classes.sticky}>
        <Steps progress={state.progress} index={index} base={base} />
      </nav>
      <div>
        <StepView
          key={current.step.id}
          lab={lab}
          session={session}
          placements={testbed?.placements ?? []}
          index={index}
          current={current}
          state={state}
          runner={runner}
          heading={heading}
          go={go}
          openTerminals={hasTerminals ? null : toggleTerminals}
        />
      </div>
      <div className={`${classes.sticky} ${classes.path}`}>
        <PathPanel
          feature={lab.feature}
          testbed={session.testbed}
          family={shownFamily(lab, current.step, state.active)}
          runs={state.runs}
          problem={testbed?.problem ?? null}
        />
      </div>
      <OnDemand>
        {watched && <WatchedDock terminals={sharing.terminals} mayType={sharing.typing === 'allowed'} />}
        {hasTerminals && <TerminalDock testbed={session.testbed} onClose={toggleTerminals} />}
      </OnDemand>
    </div>
  )
}

/** @returns whether the window matches, for example `(max-width: 900px)` */
function useMediaQuery(query: string): boolean {
  return useSyncExternalStore(
    (onChange) => {
      const list = matchMedia(query)
      list.addEventListener('change', onChange)
      return () => list.removeEventListener('change', onChange)
    },
    () => matchMedia(query).matches,
  )
}

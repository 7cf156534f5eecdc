/** A step that a person does by hand: its goal, its commands with their parts explained, a terminal, and the step's check. */
import { i18n } from '@expresslane/shared/base/language'
import { Trans } from '#language'
import { findSetting, settingName } from '@expresslane/shared/features/settings'
import { actionProperties } from '@expresslane/shared/labs/actions'
import type { GlossaryTerm } from '@expresslane/shared/labs/glossary'
import { armOf, type Action, type Lab, type LabCommand } from '@expresslane/shared/labs/lab'
import type { StepProgress } from '@expresslane/shared/run/progress'
import { propertiesOf, type TestbedId } from '@expresslane/shared/testbed/id'
import { formatCount } from '@expresslane/shared/base/units'
import { Fragment } from 'react'
import { usePath } from '../../api/live.tsx'
import { useLabs } from '../../api/queries.ts'
import { Button } from '../../components/controls.tsx'
import { CommandBlock } from '../../components/prose/command-block.tsx'
import { CommandsByHand } from '../../components/prose/commands-by-hand.tsx'
import { useTypedRuns } from '../../terminal/index.ts'
import type { Runner, SessionState } from '../use-session-state.ts'
import classes from './by-hand.module.css'

interface ByHandProps {
  lab: Lab
  testbed: TestbedId
  current: StepProgress
  state: SessionState
  runner: Runner
  /** Null while the terminals are open. */
  openTerminals: (() => void) | null
}

/** `“With BIG TCP” (BIG TCP over IPv4: on)`. */
function armInWords(lab: Lab, action: Action): string {
  if (!('arm' in action)) return ''
  const { label, settings } = armOf(lab, action.arm)
  const words = Object.entries(settings).flatMap(([id, value]) => {
    const setting = findSetting(id)
    return setting === undefined ? [] : [`${settingName(setting)}: ${setting.format(value)}`]
  })
  return i18n.t('“{arm}” ({settings})', { arm: label, settings: words.join(', ') })
}

/** The parts of commands that the glossary explains, in its order. */
function partsOf(commands: readonly LabCommand[], glossary: readonly GlossaryTerm[]): GlossaryTerm[] {
  const words = new Set(commands.flatMap(({ text }) => text.split(/[\s'"|;()$=]+/)))
  const all = commands.map(({ text }) => text).join('\n')
  const isIn = (name: string): boolean => (name.includes(' ') ? all.includes(name) : words.has(name))
  return glossary.filter(({ command, term, aliases }) => command && [term, ...aliases].some(isIn))
}

/** A terminal of the page is in the testbed's namespaces already. */
function entersNamespaces({ text }: LabCommand): boolean {
  return text.startsWith('nsenter ')
}

/** Folded away until somebody wants it; the commands alone where the step only looks. */
export function ByHand({ lab, testbed, current, state, runner, openTerminals }: ByHandProps) {
  const { data } = useLabs()
  const pods = usePath(testbed)?.datapath?.placement ?? null
  const { step } = current
  const { byHand, leaves } = actionProperties(step.action)
  const { isMachine, commandsOf } = propertiesOf(testbed)
  const commands = step.commands.filter(({ on }) => on === commandsOf)
  // On a machine there is no place for a pod's devices before its first pods.
  const isPossible = commandsOf !== null && !(isMachine && leaves === 'pods' && pods === null)
  if (step.action === null || byHand === null || !isPossible) return <CommandsByHand commands={commands} />
  const typed = commands.filter((one) => !entersNamespaces(one))
  const parts = partsOf(typed, data?.glossary ?? [])
  if (typed.length === 0 && !byHand.isChecked) return null
  return (
    <details className={classes.byHand}>
      <summary>{i18n.t('Do it yourself')}</summary>
      <div className="stack">
        <p>{byHand.goal(armInWords(lab, step.action))}</p>
        {!isMachine && <p className="muted">{i18n.t('Type them in a terminal of your own, with kubectl.')}</p>}
        <div>
          {typed.map(({ note, text }) => (
            <CommandBlock key={text} note={note} text={text} />
          ))}
        </div>
        <div className="row">
          {isMachine && openTerminals !== null && (
            <Button variant="default" onClick={openTerminals}>
              {i18n.t('Open the terminals')}
            </Button>
          )}
          {byHand.isChecked && (
            <Button
              variant="default"
              disabled={state.active !== null}
              loading={runner.run.isPending && runner.run.variables.params.byHand === true}
              onClick={() => runner.run.mutate({ stepId: step.id, params: { byHand: true }, solve: false })}
            >
              {i18n.t('Check')}
            </Button>
          )}
        </div>
        {!byHand.isChecked && <TypedRuns testbed={testbed} />}
        {parts.length > 0 && (
          <dl className={classes.parts} aria-label={i18n.t('Parts of the commands')}>
            {parts.map(({ term, definition }) => (
              <Fragment key={term}>
                <dt>{term}</dt>
                <dd className="muted">{definition}</dd>
              </Fragment>
            ))}
          </dl>
        )}
      </div>
    </details>
  )
}

/** The figures of netperf in the terminals, as the person's own. */
function TypedRuns({ testbed }: { testbed: TestbedId }) {
  const runs = useTypedRuns(testbed)
  if (runs.length === 0) return <p className="muted">{i18n.t('A run of netperf in a terminal shows its rate here.')}</p>
  return (
    <section aria-label={i18n.t('Measured by hand')} className="stack">
      <p>
        <Trans id="<0>Measured by hand</0>, and not judged:" components={{ 0: <strong /> }} />
      </p>
      <ul>
        {runs.map(({ command, rate, unit }, index) => (
          <li key={`${index} ${command}`}>
            <span className="numbers">{formatCount(Math.round(rate))}</span> {unit}: <code>{command}</code>
          </li>
        ))}
      </ul>
    </section>
  )
}

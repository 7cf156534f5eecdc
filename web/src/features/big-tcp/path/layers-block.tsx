import { i18n } from '@expresslane/shared/base/language'
import type { DatapathState } from '@expresslane/shared/testbed/reading'
import type { Family } from '@expresslane/shared/base/units'
import { useMemo } from 'react'
import { agentViews, layersView, type AgentView, type LayersView, type LayerTone } from './layers.ts'
import classes from './path-view.module.css'

interface LayersBlockProps {
  state: DatapathState
  family: Family
  /** Only the result of the comparison. */
  brief: boolean
}

const lookOf = (tone: LayerTone): string => (tone === 'unknown' ? 'muted' : tone)

/** Compares the intended settings with the reports of the agents and the kernel. */
export function LayersBlock({ state, family, brief }: LayersBlockProps) {
  const { tone, title, text, rows } = useMemo(() => layersView(state, family), [state, family])
  const agents = useMemo(() => agentViews(state, family), [state, family])
  return (
    <div className={`${classes.layers} ${lookOf(tone)} stack tight break-anywhere`}>
      <p className="strong">{title}</p>
      {!brief && <Rows rows={rows} />}
      <p>{text}</p>
      {!brief && agents.length > 0 && <Agents agents={agents} />}
    </div>
  )
}

function Rows({ rows }: Pick<LayersView, 'rows'>) {
  return (
    <dl className={classes.rows}>
      {rows.map(({ name, says, verdict }) => (
        <div key={name}>
          <dt className="muted">{i18n.t(name)}</dt>
          <dd>
            {says}
            {verdict !== null && (
              <>
                {': '}
                <span className={`${lookOf(verdict.tone)} strong`}>{i18n.t(verdict.word)}</span>
              </>
            )}
          </dd>
        </div>
      ))}
    </dl>
  )
}

function Agents({ agents }: { agents: readonly AgentView[] }) {
  // Ignores unknown agents: they come and go while agents restart, and the text above gives the reason.
  const wanting = agents.some(({ asIntended, overriddenBy }) => asIntended === false || overriddenBy !== null)
  return (
    <details open={wanting}>
      <summary className="medium">{i18n.t('The agent on each node')}</summary>
      <ul role="list" className="stack">
        {agents.map((agent) => (
          <li key={agent.node} className="stack tight">
            <span className="medium">{agent.node}</span>
            <AgentSays agent={agent} />
          </li>
        ))}
      </ul>
    </details>
  )
}

function AgentSays({ agent }: { agent: AgentView }) {
  const { says, maxGso, asIntended, overriddenBy, unreadable } = agent
  return (
    <>
      <span>
        {asIntended === null ? <em>{i18n.t('unknown')}</em> : i18n.t('reports {state}', { state: i18n.t(says) })}
        {maxGso !== null && `, ${i18n.t('up to {size}', { size: maxGso })}`}
        {asIntended === false && (
          <>
            {': '}
            <span className="bad strong">{i18n.t('differs')}</span>
          </>
        )}
      </span>
      {overriddenBy !== null && (
        <span className="muted">{i18n.t('overridden on this node by {by}', { by: overriddenBy })}</span>
      )}
      {unreadable !== null && <span className="muted">{unreadable}</span>}
    </>
  )
}

import { i18n } from '@expresslane/shared/base/language'
import type { ClusterContext, TestbedView } from '@expresslane/shared/wire/protocol'
import { Button } from '../../components/controls.tsx'
import { useId, useState } from 'react'
import { Notice } from '../../components/notice.tsx'
import { ChangeProblem } from '../../components/problem-notice.tsx'
import { SelectField } from '../../components/select-field.tsx'
import { useIsInstructor, type TestbedChange } from '../../api/queries.ts'
import classes from './context-picker.module.css'

interface ContextPickerProps {
  testbed: TestbedView
  move: TestbedChange['move']
}

function contextLabel({ name, current }: ClusterContext, context: string | null): string {
  if (name === context) return i18n.t('{name} (in use)', { name })
  return current ? i18n.t('{name} (current in kubectl)', { name }) : name
}

/** Chooses a context of the kubeconfig. A button confirms the choice, because arrow keys already change a closed select. */
export function ContextPicker({ testbed, move }: ContextPickerProps) {
  const { contexts, context, busy } = testbed
  const [picked, setPicked] = useState<string | null>(null)
  const says = useId()
  const instructor = useIsInstructor()
  if (!instructor) return null
  // No cluster is used before somebody chooses a context; kubectl's current context is only preselected.
  const offered = context ?? contexts.find(({ current }) => current)?.name
  const chosen = contexts.find(({ name }) => name === (picked ?? offered))
  const held = busy !== null
  return (
    <div className="stack tight">
      <div className={`${classes.row} row`}>
        <SelectField
          label={i18n.t('Context')}
          value={chosen?.name ?? ''}
          options={[
            ...(chosen === undefined ? [['', i18n.t('Choose one')] as const] : []),
            ...contexts.map((one) => [one.name, contextLabel(one, context)] as const),
          ]}
          onChange={setPicked}
          disabled={held || move.isPending}
          describedBy={says}
        />
        <Button
          variant="default"
          disabled={held || chosen === undefined || chosen.name === context}
          loading={move.isPending}
          onClick={() => {
            if (chosen !== undefined) move.mutate(chosen.name, { onSettled: () => setPicked(null) })
          }}
        >
          {i18n.t('Use this context')}
        </Button>
      </div>
      <p id={says} className="muted break-anywhere">
        {held
          ? i18n.t('A run is using this cluster. You can change the context when the run has ended.')
          : chosen !== undefined &&
            (chosen.namespace === null
              ? i18n.t('Cluster {cluster}, from the kubeconfig on the server.', { cluster: chosen.cluster })
              : i18n.t('Cluster {cluster}, namespace {namespace}, from the kubeconfig on the server.', {
                  cluster: chosen.cluster,
                  namespace: chosen.namespace,
                }))}
      </p>
      {chosen?.insecure === true && (
        <Notice tone="warn" title={i18n.t('The API server does not prove who it is')}>
          <p>
            {i18n.t(
              'The kubeconfig says not to check it (insecure-skip-tls-verify): anybody on the way to cluster {cluster} can read the credentials and answer for it.',
              { cluster: chosen.cluster },
            )}
          </p>
        </Notice>
      )}
      {move.isPending && (
        <p role="status" className="muted break-anywhere">
          {i18n.t('Connecting to {context}…', { context: move.variables })}
        </p>
      )}
      <ChangeProblem of={move} />
    </div>
  )
}

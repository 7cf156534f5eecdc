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
  if (name === context) return `${name} (in use)`
  return current ? `${name} (current in kubectl)` : name
}

/** Chooses a context of the kubeconfig. A button confirms the choice, because arrow keys already change a closed select. */
export function ContextPicker({ testbed, move }: ContextPickerProps) {
  const { contexts, context, busy } = testbed
  const [picked, setPicked] = useState<string | null>(null)
  const says = useId()
  const instructor = useIsInstructor()
  if (!instructor) return null
  if (contexts.length === 0) return null
  // No cluster is used before somebody chooses a context; kubectl's current context is only preselected.
  const offered = context ?? contexts.find(({ current }) => current)?.name
  const chosen = contexts.find(({ name }) => name === (picked ?? offered))
  const held = busy !== null
  return (
    <div className="stack tight">
      <div className={`${classes.row} row`}>
        <SelectField
          label="Context"
          value={chosen?.name ?? ''}
          options={[
            ...(chosen === undefined ? [['', 'Choose one'] as const] : []),
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
          Use this context
        </Button>
      </div>
      <p id={says} className="muted break-anywhere">
        {held
          ? 'A run is using this cluster. You can change the context when the run has ended.'
          : chosen !== undefined &&
            `Cluster ${chosen.cluster}${chosen.namespace === null ? '' : `, namespace ${chosen.namespace}`}, from the kubeconfig on the server.`}
      </p>
      {chosen?.insecure === true && (
        <Notice tone="warn" title="The API server does not prove who it is">
          <p>
            The kubeconfig says not to check it (insecure-skip-tls-verify): anybody on the way to cluster{' '}
            {chosen.cluster} can read the credentials and answer for it.
          </p>
        </Notice>
      )}
      {move.isPending && (
        <p role="status" className="muted break-anywhere">
          Connecting to {move.variables}…
        </p>
      )}
      <ChangeProblem of={move} />
    </div>
  )
}

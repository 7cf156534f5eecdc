/** The lab and the step that somebody waits for, in words. */
import type { Lab } from '@expresslane/shared/labs/lab'
import type { RoomView } from '@expresslane/shared/wire/board'

type Waiting = Pick<RoomView['queue']['waiting'][number], 'labId' | 'stepId'>

/** `BIG TCP over IPv4: Measure`; the ids where the lab or its step is unknown. */
export function waitingFor(labs: readonly Pick<Lab, 'id' | 'title' | 'steps'>[], { labId, stepId }: Waiting): string {
  const lab = labs.find(({ id }) => id === labId)
  const step = lab?.steps.find(({ id }) => id === stepId)
  return `${lab?.title ?? labId}: ${step?.title ?? stepId}`
}

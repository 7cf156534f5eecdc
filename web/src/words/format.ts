/** Formats times, durations and names. */
import { i18n } from '@expresslane/shared/base/language'
import { formatFixed } from '@expresslane/shared/base/units'
import type { Lab } from '@expresslane/shared/labs/lab'
import type { RoomView } from '@expresslane/shared/wire/board'
import { parseTestbedId, type TestbedId } from '@expresslane/shared/testbed/id'
import type { TestbedKind } from '@expresslane/shared/testbed/testbed'
import type { PlacementVariant } from '@expresslane/shared/testbed/placement'
import { kinds } from '@expresslane/shared/testbed/kinds'

/** Dates and lists are British in English: `21 Nov 2026`, `a, b and c`. */
function locale(): string {
  return i18n.locale === 'en' ? 'en-GB' : i18n.locale
}

function format(at: number, options: Intl.DateTimeFormatOptions): string {
  return new Intl.DateTimeFormat(locale(), options).format(at)
}

/** `21 Nov 2026, 14:03:22`, in the reader's time zone. */
export function formatTime(at: number): string {
  return format(at, { dateStyle: 'medium', timeStyle: 'medium' })
}

/** `21 Nov 2026, 14:03`, in the reader's time zone. */
export function formatDay(at: number): string {
  return format(at, { dateStyle: 'medium', timeStyle: 'short' })
}

/** `14:03`, in the reader's time zone. */
export function formatClock(at: number): string {
  return format(at, { timeStyle: 'short' })
}

/** `4.2 s`, `2 min 5 s`. */
export function formatDuration(ms: number): string {
  if (ms < 60_000) return `${formatFixed(ms / 1000, ms < 10_000 ? 1 : 0)} s`
  const seconds = Math.round(ms / 1000)
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`
}

/** `1.98`, or `unknown`. */
export function formatPackets(perRequest: number | null): string {
  return perRequest === null ? i18n.t('unknown') : formatFixed(perRequest, 2)
}

const kindName: Record<TestbedKind, string> = {
  netns: /*i18n*/ 'this machine',
  counted: /*i18n*/ 'the counted machine',
  emulated: /*i18n*/ 'an emulated computer in this tab',
  ssh: /*i18n*/ 'a host over ssh',
  kubernetes: /*i18n*/ 'Kubernetes cluster',
  recording: /*i18n*/ 'a recording',
}

/**
 * `this machine`, `own testbed on this machine` for a participant's, `cluster kind-kind`: a testbed by its name, inside
 * a sentence.
 *
 * @param read the context that the testbed reports, for an id without a context
 */
export function testbedName(id: TestbedId, read: string | null = null): string {
  const { kind, context, owner } = parseTestbedId(id)
  const place = context ?? read
  // The context of a recording is its id, which is not readable; that of this machine is a topology.
  const name = place !== null && kinds[kind].isCluster ? i18n.t('cluster {place}', { place }) : i18n.t(kindName[kind])
  return owner === null ? name : i18n.t('own testbed on {name}', { name })
}

/** `kind-worker`, `kind-worker and kind-worker2`, `a, b and 3 more`. */
export function listed(names: readonly string[], most = 3): string {
  const more = names.length - most + 1
  return new Intl.ListFormat(locale()).format(
    more > 1 ? [...names.slice(0, most - 1), i18n.t('{count} more', { count: more })] : names,
  )
}

const placements: Record<PlacementVariant, string> = {
  'other-node': /*i18n*/ 'on different nodes',
  'same-node': /*i18n*/ 'on the same node',
  'host-network': /*i18n*/ 'on the host network',
}

export function placementName(variant: PlacementVariant): string {
  return i18n.t(placements[variant])
}

type Waiting = Pick<RoomView['queue']['waiting'][number], 'labId' | 'stepId'>

/** `BIG TCP over IPv4: Measure`; the ids where the lab or its step is unknown. */
export function waitingFor(labs: readonly Pick<Lab, 'id' | 'title' | 'steps'>[], { labId, stepId }: Waiting): string {
  const lab = labs.find(({ id }) => id === labId)
  const step = lab?.steps.find(({ id }) => id === stepId)
  return `${lab?.title ?? labId}: ${step?.title ?? stepId}`
}

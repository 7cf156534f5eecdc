/** The counted machine in a pod of its own, in a cluster that schedules it. */
import { LabError } from '@expresslane/shared/base/errors'
import type { TestbedId } from '@expresslane/shared/testbed/id'
import { createOpened } from '../../agent/opened.ts'
import type { Place } from '../../agent/place.ts'
import { answered } from '../../agent/processes.ts'
import { passed } from '../../check.ts'
import { createCountedMachine } from '../../counted/machine.ts'
import { chosenOf, preparedFrom, type Prepared } from '../../counted/prepared.ts'
import { startQemuAt } from '../../counted/qemu-at.ts'
import type { Machine } from '../../machine/machine.ts'
import { resource } from '../../resources.ts'
import { digestOf } from './pod-api.ts'
import type { TestbedPods } from './pods.ts'

/** In the server's image, which is the pods' image, too. */
const LIST = '/app/.cache/counted/machines.json'

export interface PodMachineOptions {
  readonly pods: TestbedPods
  readonly testbed: TestbedId
  /** The release of the kernel to boot; null for the newest that the image has. */
  readonly kernel: string | null
}

function noKernel(place: Place, kernel: string | null): LabError {
  const which = kernel === null ? 'no kernel' : `no kernel ${kernel}`
  return new LabError(
    'testbed_unavailable',
    `The image of ${place.name} has ${which} for the counted machine.`,
    'Use the image that the Dockerfile builds, of the same version as this server.',
  )
}

/** Everything happens with the first use: the pod, the connection to it, and the machine's boot. */
export function createPodMachine({ pods, testbed, kernel }: PodMachineOptions): Machine {
  const places = createOpened(
    (signal, say) => pods.open(testbed, signal, say),
    () => new LabError('testbed_gone', 'The testbed is closed.', 'Start the step again.'),
  )

  async function prepared(signal: AbortSignal): Promise<Prepared> {
    const place = await places.wake(signal)
    const list = await answered(place, place.read(LIST))
    // It can have ended meanwhile.
    if (list === null && !(await answered(place, place.ping()))) {
      await place.close()
      place.gone.throwIfAborted()
    }
    const chosen = chosenOf(preparedFrom(list?.toString('utf8') ?? ''), kernel)
    if (chosen === null) throw noKernel(place, kernel)
    return chosen
  }

  /** The machine ends by itself when nobody has used it for long: then the pod costs its requests for nothing. */
  async function rest(): Promise<void> {
    await places.end()
    pods.leave(testbed)
  }
  const machine = createCountedMachine({
    env: {},
    user: null,
    kernel,
    prepared,
    start: startQemuAt(places.wake),
    booted: ({ gone }) => gone.addEventListener('abort', () => void rest(), { once: true }),
  })
  return {
    ...machine,
    // Other pods do not change what is counted in this one.
    resources: { measuring: [resource.parse(`pod:${digestOf(testbed)}`)], changing: [] },
    rest: {
      isNow: () => machine.rest?.isNow() ?? false,
      checks: async () => [
        passed(
          'testbed-pod',
          'The cluster starts a pod for you',
          'A pod of the cluster, with the first step that you run.',
        ),
      ],
    },
    takeOver: null,
    primitives: { ...machine.primitives, profile: 'A counted machine in a pod makes no profile.' },
    profiler: () =>
      Promise.reject(
        new LabError('bad_request', 'A counted machine in a pod makes no profile.', 'Measure without one.'),
      ),
    async wake(signal) {
      await places.wake(signal)
      await machine.wake(signal)
    },
    async hold(signal, say) {
      await places.wake(signal, say)
      return machine.hold(signal)
    },
    async close() {
      await Promise.all([machine.close(), rest()])
    },
  }
}

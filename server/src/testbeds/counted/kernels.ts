/** The counted machines of several kernels as a single machine: the machine with the chosen kernel. */
import { LabError } from '@expresslane/shared/base/errors'
import type { Machine } from '../machine/machine.ts'

function notHereError(release: string, releases: readonly string[]): LabError {
  return new LabError(
    'bad_request',
    `The kernel ${release} is not here. Those that are: ${releases.join(', ')}.`,
    'Choose one of them; or get it, and start Expresslane again.',
    { remedyCommand: `npm run kernel -- ${release}` },
  )
}

/**
 * Each kernel has a virtual machine, which boots when it is first needed. A machine that is not used stands still. It
 * ends after ten minutes, or when another machine needs its slot.
 *
 * @param releases the kernels that are prepared, the default first; with fewer than two there is no choice
 * @param make makes the machine that boots a kernel; null for the default, whether it is prepared or not
 */
export function createMachineOfKernels(
  releases: readonly string[],
  make: (release: string | null) => Machine,
): Machine {
  const [first, ...others] = releases
  if (first === undefined || others.length === 0) return make(null)
  // By its name: a newer kernel that is prepared meanwhile is another kernel.
  const usual = make(first)
  const machines = new Map([[first, usual], ...others.map((release) => [release, make(release)] as const)])
  let present = usual
  return {
    ...usual,
    primitives: { ...usual.primitives, kernels: null },
    kernels: {
      releases,
      requireHere(release) {
        if (release !== null && !machines.has(release)) throw notHereError(release, releases)
      },
      choose(release) {
        present = (release === null ? null : machines.get(release)) ?? usual
      },
    },
    rest: usual.rest === null ? null : { isNow: () => present.rest?.isNow() ?? false, checks: usual.rest.checks },
    madeOf: () => present.madeOf(),
    start: (process) => present.start(process),
    readText: (path) => present.readText(path),
    findProgram: (program) => present.findProgram(program),
    wake: (signal) => present.wake(signal),
    hold: (signal) => present.hold(signal),
    profiler: () => present.profiler(),
    async close() {
      await Promise.all([...machines.values()].map((one) => one.close()))
    },
  }
}

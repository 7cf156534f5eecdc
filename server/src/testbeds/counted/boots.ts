/** Boots the counted machine when it is needed, one at a time, and ends it. */
import { LabError } from '@expresslane/shared/base/errors'
import { createOpened, type Opened } from '../agent/opened.ts'
import type { Slot, Slots } from './slots.ts'
import { findPrepared, type Prepared } from './prepared.ts'
import type { QemuSurroundings, StartQemu } from './qemu.ts'
import { bootVm, type Vm } from './vm.ts'

export interface BootOptions extends QemuSurroundings {
  /** How QEMU is started. @defaultValue on this machine */
  readonly start?: StartQemu
  /** The release of the kernel that it boots. @defaultValue the newest that is prepared */
  readonly kernel?: string | null
  /** Kernel and programs. @defaultValue the prepared machine of that kernel */
  prepared?(signal: AbortSignal): Promise<Prepared>
  /** How long a boot may take, in milliseconds. @defaultValue two minutes: on a busy machine it takes many seconds */
  readonly bootMs?: number
  /** After how long without use it ends, in milliseconds. @defaultValue ten minutes */
  readonly unusedMs?: number
  /** Limits how many machines run. @defaultValue no limit */
  readonly slots?: Slots
  /** Called after each boot. */
  booted?(vm: Vm): void
}

export function createBoots(options: BootOptions): Opened<Vm> {
  const { kernel = null, bootMs = 120_000, unusedMs = 600_000, slots } = options
  const { prepared = () => findPrepared(kernel) } = options
  /** A QEMU that is built without plugins ends at once with the profiler: then it boots without. */
  let profiles = options.start === undefined

  async function bootOnce(signal: AbortSignal): Promise<Vm> {
    return bootVm(await prepared(signal), { ...options, bootMs, unusedMs, profiles }, signal)
  }

  async function bootWithOrWithout(signal: AbortSignal): Promise<Vm> {
    try {
      return await bootOnce(signal)
    } catch (error) {
      if (!profiles || !(error instanceof LabError) || error.code !== 'testbed_unavailable') throw error
    }
    profiles = false
    try {
      return await bootOnce(signal)
    } catch (error) {
      // It was something else.
      profiles = true
      throw error
    }
  }

  async function bootIn(slot: Slot | null, signal: AbortSignal): Promise<Vm> {
    const leave = (): void => slot?.leave()
    try {
      const vm = await bootWithOrWithout(signal)
      vm.gone.addEventListener('abort', leave, { once: true })
      if (vm.gone.aborted) leave()
      slot?.move(vm)
      return vm
    } catch (error) {
      leave()
      throw error
    }
  }

  async function boot(signal: AbortSignal): Promise<Vm> {
    const vm = await bootIn((await slots?.take()) ?? null, signal)
    options.booted?.(vm)
    return vm
  }

  return createOpened(
    boot,
    () => new LabError('testbed_gone', 'The counted machine is closed.', 'Start the step again.'),
  )
}

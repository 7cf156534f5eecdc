/** Boots the counted machine when it is needed, one at a time, and ends it. */
import { LabError } from '@expresslane/shared/base/errors'
import type { Slot, Slots } from './slots.ts'
import { findPrepared, type Prepared } from './prepared.ts'
import type { QemuSurroundings } from './qemu.ts'
import { bootVm, type Vm } from './vm.ts'

export interface BootOptions extends QemuSurroundings {
  /** The release of the kernel that it boots. @defaultValue the newest that is prepared */
  readonly kernel?: string | null
  /** Kernel and programs. @defaultValue the prepared machine of that kernel */
  prepared?(): Promise<Prepared>
  /** How long a boot may take, in milliseconds. @defaultValue two minutes: on a busy machine it takes many seconds */
  readonly bootMs?: number
  /** After how long without use it ends, in milliseconds. @defaultValue ten minutes */
  readonly unusedMs?: number
  /** Limits how many machines run. @defaultValue no limit */
  readonly slots?: Slots
  /** Called after each boot. */
  booted?(vm: Vm): void
}

export interface Boots {
  /** The running machine; boots one if there is none. */
  running(): Promise<Vm>
  /**
   * The running machine; boots one if there is none.
   *
   * @throws LabError as `bootVm`; `signal.reason`: a boot that nobody else waits for has ended by then
   */
  wake(signal: AbortSignal): Promise<Vm>
  /** Whether no machine runs. */
  isAtRest(): boolean
  /** Ends the machine, or its boot. */
  end(): Promise<void>
}

export function createBoots(options: BootOptions): Boots {
  const { kernel = null, bootMs = 120_000, unusedMs = 600_000, slots } = options
  const { prepared = () => findPrepared(kernel) } = options
  let booting: Promise<Vm> | null = null
  let booted: Vm | null = null
  let waiting = 0
  /** A QEMU that is built without plugins ends at once with the profiler: then it boots without. */
  let profiles = true
  /** Ends a boot that is under way. */
  let closing = new AbortController()

  async function bootOnce(signal: AbortSignal): Promise<Vm> {
    return bootVm(await prepared(), { ...options, bootMs, unusedMs, profiles }, signal)
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

  async function boot(): Promise<Vm> {
    const { signal } = closing
    const vm = await bootIn((await slots?.take()) ?? null, signal)
    booted = vm
    options.booted?.(vm)
    return vm
  }

  async function bootedOrBooting(): Promise<Vm> {
    const { signal } = closing
    const present = booting
    if (present !== null) {
      const vm = await present.catch(() => null)
      if (vm !== null && !vm.gone.aborted) return vm
      // Who waited for a boot that was ended must not boot again: nobody would end that boot.
      signal.throwIfAborted()
      if (booting === present) booting = null
    }
    booting ??= boot()
    return await booting
  }

  async function running(): Promise<Vm> {
    waiting++
    try {
      return await bootedOrBooting()
    } finally {
      waiting--
    }
  }

  const isAtRest = (): boolean => booted === null || booted.gone.aborted

  async function end(): Promise<void> {
    const present = booting
    booting = null
    closing.abort(new LabError('testbed_gone', 'The counted machine is closed.', 'Start the step again.'))
    closing = new AbortController()
    await (await present?.catch(() => null))?.close()
  }

  return {
    running,
    async wake(signal) {
      signal.throwIfAborted()
      const aborted = Promise.withResolvers<never>()
      const abort = (): void => aborted.reject(signal.reason)
      signal.addEventListener('abort', abort, { once: true })
      waiting++
      try {
        return await Promise.race([bootedOrBooting(), aborted.promise])
      } finally {
        waiting--
        signal.removeEventListener('abort', abort)
        if (signal.aborted && waiting === 0 && isAtRest()) await end()
      }
    },
    isAtRest,
    end,
  }
}

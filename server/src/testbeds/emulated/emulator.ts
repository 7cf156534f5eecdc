/**
 * The emulated computer: v86 with a clock that counts instructions, and the connection to the agent in it. It runs in a
 * web worker and in Node.
 */
import { V86, type V86Options } from 'v86'
import { createCountedClock, insideOf, type Inside } from './clock.ts'

/** It boots from nothing, as when its state is made, or goes on from a saved state. */
export type Start =
  | { readonly kernel: ArrayBuffer; readonly initrd: ArrayBuffer; readonly commandLine: string }
  | {
      /** As {@link Emulator.saveState} gives it, or packed with zstd. */
      readonly state: ArrayBuffer
      /** The agent's greeting, which came before the state was saved. */
      readonly said: Uint8Array
    }

export interface EmulatorOptions {
  /** The files of v86, and of the computer's firmware. */
  readonly files: { readonly wasm: ArrayBuffer; readonly bios: ArrayBuffer }
  readonly start: Start
  /** The clock at which the state was saved; at a boot the clock's start. */
  readonly clockMs: number
  readonly memoryMb: number
  /** The console's bytes: the kernel's words. @defaultValue they are dropped */
  onConsole?(byte: number): void
}

export interface Emulator {
  /** To the agent, in order. They wait until the computer takes them, which it does while it runs. */
  send(bytes: Uint8Array): void
  /** One listener takes all bytes of the agent, also those before the call. */
  onBytes(listener: (bytes: Uint8Array) => void): void
  /** Lets it run, which takes a whole CPU also when it has nothing to do: its waiting passes at once. It stands at first. */
  go(): void
  /** Lets it stand still, with its clock. */
  stop(): void
  /** Milliseconds of its clock. */
  now(): number
  /** Instructions since the start. */
  instructions(): number
  /** Its memory and devices, not packed. It has to stand still. */
  saveState(): Promise<ArrayBuffer>
  /** Ends it. */
  close(): Promise<void>
}

/** The agent's port, as QEMU numbers it for the counted machine: there the port 0 is a console's. */
const PORT = 1
/** The queue whose buffers the computer reads from this port. */
const INPUT_QUEUE = 2 * PORT + 2
/** Linux lends a port buffers of a page each; v86 drops what finds no buffer, and what does not fit. */
const MOST_BYTES = 4096
/** VIRTIO_CONSOLE_CONSOLE_PORT: with it Linux makes a terminal of a port, which changes bytes and takes 16 at a time. */
const CONSOLE_PORT = 4

/** Where v86 puts the archive of the first file system. Linux copies it to its own memory, and this place stays reserved. */
const INITRD_AT = 64 * 2 ** 20

/** The bytes that are to be sent, in parts that fit a buffer. */
function createOutbox(canSend: () => boolean, send: (bytes: Uint8Array) => void) {
  const parts: Uint8Array[] = []
  return {
    add(bytes: Uint8Array): void {
      // The caller can use its own buffer again.
      for (let at = 0; at < bytes.length; at += MOST_BYTES) parts.push(bytes.slice(at, at + MOST_BYTES))
    },
    flush(): void {
      while (parts.length > 0 && canSend()) {
        const [part] = parts.splice(0, 1)
        if (part !== undefined) send(part)
      }
    },
  }
}

/** Keeps bytes until somebody listens. */
function createInbox(first: readonly Uint8Array[]) {
  const kept = [...first]
  let take = (bytes: Uint8Array): void => void kept.push(bytes)
  return {
    put: (bytes: Uint8Array): void => take(bytes),
    listen(listener: (bytes: Uint8Array) => void): void {
      take = listener
      for (const bytes of kept.splice(0)) listener(bytes)
    },
  }
}

/** Some functions of the web that Node has, too, and that are in neither's types here. */
declare class MessageChannel {
  readonly port1: { postMessage(turn: number): void; close(): void }
  readonly port2: { onmessage: ((event: { readonly data: number }) => void) | null }
}

/**
 * In a browser v86 asks another thread for its next turn, after each millisecond of the clock. The way to that thread and back
 * takes as long as the turn. This thread itself can answer; in Node it does so already. @returns ends it
 */
function takeTurnsHere({ v86 }: Pick<Inside, 'v86'>): () => void {
  if ('setImmediate' in globalThis) return () => {}
  const { port1, port2 } = new MessageChannel()
  port2.onmessage = ({ data: turn }) => v86.yield_callback(turn)
  v86.yield = (_, turn) => port1.postMessage(turn)
  return () => port1.close()
}

function imagesOf(start: Start): Partial<V86Options> {
  if ('state' in start) return { initial_state: { buffer: start.state } }
  const { kernel, initrd, commandLine } = start
  return { bzimage: { buffer: kernel }, initrd: { buffer: initrd }, cmdline: commandLine }
}

/**
 * Makes the computer, which stands still until {@link Emulator.go}. One at a time in a JavaScript realm: v86's timers
 * have one clock for all.
 */
export async function startEmulator(options: EmulatorOptions): Promise<Emulator> {
  const { files, start, clockMs, memoryMb, onConsole = () => {} } = options
  const clock = createCountedClock(files.wasm, clockMs)
  const settings: V86Options = {
    ...imagesOf(start),
    wasm_fn: clock.load,
    bios: { buffer: files.bios },
    memory_size: memoryMb * 2 ** 20,
    vga_memory_size: 2 ** 20,
    // The agent's port; `true` is documented, and left out of the type.
    ...({ virtio_console: true } as object),
    disable_keyboard: true,
    disable_mouse: true,
    disable_speaker: true,
    autostart: false,
    fastboot: true,
    acpi: false,
  }
  const emulator = new V86(settings)
  await new Promise<void>((resolve) => {
    emulator.add_listener('emulator-ready', () => resolve())
  })
  const inside = insideOf(emulator)
  const { v86, bus } = inside
  const endTurns = takeTurnsHere(inside)
  const port = v86.cpu.devices.virtio_console
  const { SendEvent: sendEvent } = port
  port.SendEvent = (number, event, value) => {
    if (event !== CONSOLE_PORT) sendEvent.call(port, number, event, value)
  }
  const inbox = createInbox('said' in start ? [start.said] : [])
  const outbox = createOutbox(
    () => port.virtio.queues[INPUT_QUEUE]?.has_request() === true,
    (bytes) => bus.send(`virtio-console${PORT}-input-bytes`, bytes),
  )
  clock.attach(emulator, outbox.flush)
  // v86 names the first port's event alone in its types.
  emulator.add_listener(`virtio-console${PORT}-output-bytes` as 'virtio-console0-output-bytes', inbox.put)
  emulator.add_listener('serial0-output-byte', onConsole)
  return {
    send: outbox.add,
    onBytes: inbox.listen,
    go: () => v86.run(),
    stop: () => v86.stop(),
    now: clock.now,
    instructions: clock.instructions,
    saveState() {
      // Nobody reads it again; v86 saves no pages of zeros.
      if ('initrd' in start) emulator.write_memory(new Uint8Array(start.initrd.byteLength), INITRD_AT)
      return emulator.save_state()
    },
    async close() {
      endTurns()
      await emulator.destroy()
    },
  }
}

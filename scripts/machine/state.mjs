/** Boots the emulated computer, and saves the state in which a page finds it. Runs on the packaged Node. */
import { createAgent } from '../../server/src/testbeds/agent/agent.ts'
import { startEmulator } from '../../server/src/testbeds/emulated/emulator.ts'
import { connectionTo } from '../../server/src/testbeds/emulated/place.ts'
import { FrameError } from '../base/say.mjs'

export const MEMORY_MB = 80

/**
 * The console is for a boot that fails. The processor's frequency is the clock's, and cubic without HyStart, which looks
 * at delays: those are of the emulator.
 */
const commandLine = [
  'console=ttyS0 quiet loglevel=4 panic=-1 mitigations=off nokaslr norandmaps nosmp noapic audit=0 rdinit=/init',
  'tsc=reliable tsc_early_khz=1000000 random.trust_cpu=on tcp_cubic.hystart=0',
].join(' ')

const BOOT_MS = 90_000

/**
 * Free memory has what the boot left there, which does not compress: zeros take its place. Some stays free, or the kernel
 * would end processes.
 */
const CLEAR = [
  'mount -o remount,size=100% /run',
  'while read name kb unit; do if [ $name = MemFree: ]; then free=$kb; fi; done </proc/meminfo',
  'dd if=/dev/zero of=/run/zeros bs=64k count=$(((free - 2048) / 64))',
  'rm /run/zeros',
  'mount -o remount,size=50% /run',
].join('\n')

/**
 * A packet to a neighbour that is not confirmed takes a longer way. By default a node confirms a neighbour five seconds after
 * it has learned of it, and again every half a minute. Here it does so at once, and then every week or so of this computer's clock. Devices get these
 * values when they are made.
 */
const CONFIRM = [
  'for family in ipv4 ipv6; do cd /proc/sys/net/$family/neigh/default',
  'echo 0 >delay_first_probe_time',
  'echo 1000000000 >base_reachable_time_ms',
  'done',
].join('\n')

/** The first large requests after a boot take ten million instructions more than later ones: here they are done before. */
const WARM = [
  'ip netns add warm',
  'ip -n warm link set lo up',
  'ip -n warm address add 10.0.0.1/32 dev lo',
  'ip netns exec warm netserver -L 10.0.0.1',
  'ip netns exec warm netperf -H 10.0.0.1 -t TCP_RR -l -50 -P 0 -- -r 80000,80000',
  'ip netns pids warm | xargs kill',
  'ip netns del warm',
].join(' && ')

/** @param {ReturnType<typeof createAgent>} agent @param {readonly string[]} argv */
async function runThere(agent, argv) {
  /** @type {string[]} */
  const words = []
  const env = { PATH: '/usr/bin' }
  const child = await agent.start({
    argv,
    env,
    input: false,
    namespace: null,
    onOutput: (_, bytes) => void words.push(bytes.toString('utf8')),
  })
  const end = await child.closed
  if (end.type === 'exited' && end.code === 0) return
  throw new Error(`${argv.join(' ')}: ${JSON.stringify(end)} ${words.join('')}`)
}

/**
 * @param {{wasm: ArrayBuffer, bios: ArrayBuffer}} files
 * @param {ArrayBuffer} kernel
 * @param {ArrayBuffer} initrd
 */
export async function savedState(files, kernel, initrd) {
  let console = ''
  const emulator = await startEmulator({
    files,
    start: { kernel, initrd, commandLine },
    clockMs: 1000,
    memoryMb: MEMORY_MB,
    onConsole: (byte) => void (console += String.fromCharCode(byte)),
  })
  /** @type {Uint8Array[]} */
  const heard = []
  const connection = connectionTo(emulator)
  const ready = Promise.withResolvers()
  const noted = {
    ...connection,
    /** @param {(bytes: Uint8Array) => void} listener */
    onBytes: (listener) =>
      connection.onBytes((bytes) => {
        heard.push(bytes)
        listener(bytes)
      }),
  }
  const agent = createAgent(noted, ready.resolve)
  const late = setTimeout(() => {
    const text = `It printed:\n${console}`
    ready.reject(new FrameError('The emulated computer did not boot.', text))
  }, BOOT_MS)
  emulator.go()
  await ready.promise
  clearTimeout(late)
  const said = Buffer.concat(heard)
  const bootInstructions = emulator.instructions()
  // The programs that a page starts first are in memory and linked then, too.
  for (const argv of [
    ['sh', '-c', CLEAR],
    ['sh', '-c', WARM],
    ['sh', '-c', CONFIRM],
    ['sh', '-c', CLEAR],
  ])
    await runThere(agent, argv)
  emulator.stop()
  // The turn of its loop that has begun ends first.
  await new Promise((resolve) => setTimeout(resolve, 100))
  const state = await emulator.saveState()
  const clockMs = emulator.now()
  await emulator.close()
  return { state, said, clockMs, bootInstructions }
}

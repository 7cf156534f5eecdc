/** A server that is killed leaves no translator behind: no process, no program, no map, no device. */
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { loadedArgv, parseLoaded } from '../../tools/nodeport/diagnosis.ts'
import { translatorsHere } from './here.ts'
import { bpfHeldBy, descendants, hostNetwork, isRunning, until } from '../../testbeds/netns/host.ts'

const script = fileURLToPath(new URL('stand-in.ts', import.meta.url))
/** Both BPF translators are the same program, so one of them is enough. */
const wanted = translatorsHere().filter((one) => one !== 'bpf-stateless')
/** Ends a test that hangs. */
const PATIENCE_MS = 60_000

/** The ids of all programs and maps of the helper; only root may ask. */
function loaded(): readonly number[] {
  const [program = '', ...rest] = loadedArgv()
  const { programs, maps } = parseLoaded(execFileSync(program, rest, { encoding: 'utf8' }).trim())
  return [...programs, ...maps].map(({ id }) => id)
}

test.each(wanted)('with %s', { timeout: 2 * PATIENCE_MS }, async (translator) => {
  const signal = AbortSignal.timeout(PATIENCE_MS)
  const before = hostNetwork()
  const server = spawn(process.execPath, [script, translator], { stdio: ['ignore', 'pipe', 'inherit'] })
  onTestFinished(() => void server.kill('SIGKILL'))
  await once(server.stdout, 'data')
  const started = descendants(server.pid ?? 0)
  expect(started.some(({ name }) => name === 'tayga')).toBe(translator === 'tayga')
  // The two name servers that the probe asks.
  expect(started.filter(({ name }) => name === 'unbound')).toHaveLength(2)
  const { programs, maps } = bpfHeldBy(started.map(({ pid }) => pid))
  expect(programs.length > 0).toBe(translator === 'bpf-stateful')
  expect(hostNetwork()).toEqual(before)

  server.kill('SIGKILL')
  await once(server, 'exit')
  await until(() => started.every(({ pid }) => !isRunning(pid)), signal)
  const held = [...programs, ...maps]
  if (held.length > 0) await until(() => !loaded().some((id) => held.includes(id)), signal)
  expect(hostNetwork()).toEqual(before)
})

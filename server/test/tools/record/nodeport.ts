/** Records the NodePort helper's output again, as root: `node server/test/tools/record/nodeport.ts`. */
import { mkdir, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { bytes } from '@expresslane/shared/base/units'
import { loadedArgv, preflightArgv } from '../nodeport/diagnosis.ts'
import {
  countersArgv,
  deviceArgv,
  echoArgv,
  forwardArgv,
  generateArgv,
  handshakeArgv,
  nodeportProgram,
  sinkArgv,
  type GenerateOptions,
} from '../../../src/tools/nodeport/argv.ts'
import { BACKEND_PORT, hooks, NODE_PORT, services } from '../nodeport/forwarding.ts'
import { nodeAddresses, openPath, type Ended, type Path, type Place } from '../nodeport/path.ts'

const endings: (() => Promise<void>)[] = []

async function save(name: string, argv: readonly string[], { code, signal, stdout, stderr }: Ended): Promise<void> {
  const typed = argv.join(' ').replace(nodeportProgram, 'nodeport')
  const end = code === null ? `signal ${signal}` : `exit ${code}`
  const url = new URL(`../../fixtures/nodeport/${name}.txt`, import.meta.url)
  await mkdir(fileURLToPath(new URL('.', url)), { recursive: true })
  await writeFile(url, [`$ ${typed}`, ...stdout, ...stderr, end, ''].join('\n'))
}

async function record(path: Path, place: Place, name: string, argv: readonly string[]): Promise<void> {
  await save(name, argv, await path.run(place, argv, services()))
}

/** A process that runs until what is done meanwhile has ended. */
async function held(
  path: Path,
  place: Place,
  name: string,
  argv: readonly string[],
  work: () => Promise<void>,
): Promise<void> {
  const running = path.start(place, argv, services())
  await running.line(0)
  await work()
  await save(name, argv, await running.end())
}

function load(method: GenerateOptions['method'], seconds: number): GenerateOptions {
  const to = { device: 'c0', address: nodeAddresses.ipv4, port: NODE_PORT }
  return { method, ...to, load: { rate: 20_000, flows: 10 }, frameBytes: bytes.parse(64), seconds }
}

async function asRoot(path: Path): Promise<void> {
  const shake = handshakeArgv({ address: nodeAddresses.ipv4, port: NODE_PORT, timeoutMs: 2000 })
  await record(path, 'node', 'preflight-root', preflightArgv())
  await record(path, 'client', 'handshake-refused', shake)
  await record(path, 'node', 'not-running', countersArgv('forward'))
  for (const hook of hooks) {
    await held(path, 'node', `forward-${hook}`, forwardArgv({ hook, devices: ['n0', 'n1'] }), async () => {
      await held(path, 'backend', `echo-${hook}`, [...echoArgv(BACKEND_PORT), '--peers'], async () => {
        await record(path, 'client', `handshake-${hook}`, shake)
      })
      const sink = sinkArgv({ method: 'xdp', device: 'b0', port: BACKEND_PORT })
      await held(path, 'backend', `sink-${hook}`, sink, async () => {
        await record(path, 'client', `generate-${hook}`, generateArgv(load('xdp', 0.5)))
      })
      await record(path, 'node', `device-${hook}`, deviceArgv('n0'))
      await record(path, 'node', `counters-${hook}`, countersArgv('forward'))
      await record(path, 'node', `loaded-${hook}`, loadedArgv())
    })
  }
  await record(path, 'client', 'new-flows', generateArgv({ ...load('xdp', 9), load: { newFlows: 'max' } }))
}

async function asUser(path: Path): Promise<void> {
  await record(path, 'node', 'preflight-user', preflightArgv())
  await record(path, 'node', 'forward-denied', forwardArgv({ hook: 'xdp', devices: ['n0'] }))
  await record(path, 'node', 'device-user', deviceArgv('n0'))
  const sink = sinkArgv({ method: 'socket', device: 'n0', port: NODE_PORT })
  await held(path, 'node', 'sink-user', sink, async () => {
    await record(path, 'client', 'generate-user', generateArgv(load('ring', 0.5)))
  })
}

try {
  await asRoot(await openPath('root', (end) => void endings.push(end)))
  await asUser(await openPath('user', (end) => void endings.push(end)))
} finally {
  for (const end of endings) await end()
}

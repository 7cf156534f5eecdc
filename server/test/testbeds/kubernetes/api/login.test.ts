/** Login programs of a kubeconfig, real ones: what hangs, forks, fails, or gives credentials that expire. */
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { createServer as createTls } from 'node:https'
import type { TLSSocket } from 'node:tls'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { KubeConfig } from '@kubernetes/client-node'
import { LabError } from '@expresslane/shared/base/errors'
import { generate } from 'selfsigned'
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { createCluster, type Cluster, type ClusterOptions } from '../../../../src/testbeds/kubernetes/api/cluster.ts'
import { watchObjects } from '../../../../src/testbeds/kubernetes/api/watch.ts'
import { execIn } from '../../../../src/testbeds/kubernetes/exec/exec.ts'
import { connect } from '../../../support/http/stream-client.ts'
import { startMain, type Program } from '../../../support/http/process.ts'
import { ask } from '../../../support/http/server.ts'
import { listen, status } from '../fake-api.ts'

const SECRET = 'a-secret-of-the-program'
/** The context's name is as hostile as a name can be. */
const CONTEXT = "it's; rm -rf ~"
const forever = new AbortController().signal
const nodes = { verb: 'list', resource: 'nodes' }

let dir: string
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'expresslane-login-'))
})
afterEach(() => rmSync(dir, { recursive: true }))

/** Writes the PIDs of itself and of a child into `dir`, as a helper that asks another helper. */
const hangs = `sleep 1000 & echo "$$ $!" >> "$DIR/pids"; wait`
const gives = (given: string): string => `echo x >> "$DIR/pids"; echo '{"kind":"ExecCredential","status":${given}}'`

function script(body: string): string {
  const file = join(dir, 'login-program')
  writeFileSync(file, `#!/bin/sh\nDIR='${dir}'\n${body}\n`)
  chmodSync(file, 0o755)
  return file
}

function configOf(command: string, server: string, exec: object = {}): KubeConfig {
  const config = new KubeConfig()
  config.loadFromClusterAndUser(
    { name: 'test', server, skipTLSVerify: true },
    { name: 'me', exec: { command, args: ['--client-secret', SECRET], ...exec } },
  )
  config.contexts = config.contexts.map((context) => ({ ...context, name: CONTEXT }))
  config.setCurrentContext(CONTEXT)
  return config
}

function clusterWith(command: string, server: string, options: ClusterOptions, exec: object = {}): Cluster {
  const cluster = createCluster(configOf(command, server, exec), options)
  onTestFinished(() => cluster.close(new Error('the test has ended')))
  return cluster
}

/** An API server that answers with an empty list, and the credentials that it was shown. */
async function lists(code = 200): Promise<{ server: string; shown: string[] }> {
  const shown: string[] = []
  const http = createServer((request, response) => {
    shown.push(request.headers.authorization ?? '')
    if (code !== 200) return status(code, 'no')(request, response)
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ kind: 'NodeList', apiVersion: 'v1', metadata: {}, items: [] }))
  })
  return { server: `http://127.0.0.1:${await listen(http)}`, shown }
}

function listNodes(cluster: Cluster, signal: AbortSignal = forever): Promise<unknown> {
  return cluster.request(nodes, signal, (options) => cluster.core.listNode({}, options))
}

async function failure(asked: Promise<unknown>): Promise<LabError> {
  const error = await asked.then(
    () => null,
    (thrown: unknown) => thrown,
  )
  if (error instanceof LabError) return error
  throw new Error(`no LabError: ${String(error)}`)
}

/** A line for each time that the program was started. */
function started(): string[] {
  return readFileSync(join(dir, 'pids'), 'utf8').trim().split('\n')
}

function lives(pid: number): boolean {
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
  } catch {
    return false
  }
}

/** The processes that the program left. */
function left(): number[] {
  return started()
    .flatMap((line) => line.split(' ').map(Number))
    .filter(lives)
}

/** Whether the process runs that ends the program with its server: it is started right after the program. */
function isGuarded(): boolean {
  const [leader = ''] = (started()[0] ?? '').split(' ')
  const commands = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, 'utf8')
      } catch {
        // The process has ended.
        return ''
      }
    })
  return commands.some((command) => command.endsWith(`\0expresslane-guard\0${leader}\0`))
}

const quick = { requestMs: 300, loginMs: 60_000 }

/** A server with an open page, which waits for a login program that hangs. */
async function serverThatLogsIn(): Promise<Program> {
  const { server } = await lists()
  const kubeconfig = join(dir, 'kubeconfig')
  writeFileSync(kubeconfig, configOf(script(hangs), server).exportConfig())
  const env = { EXPRESSLANE_DATA: join(dir, 'data'), KUBECONFIG: kubeconfig, EXPRESSLANE_CONTEXT: CONTEXT }
  const program = startMain(env)
  const { port, token } = await program.ready
  const stream = connect({ port, token }, 0)
  onTestFinished(() => stream.socket.terminate())
  // The request of an open page, several times.
  const headers = { authorization: `Bearer ${token}` }
  for (let page = 0; page < 5; page += 1)
    void ask(port, '/api/testbeds/kubernetes?fresh=true', { headers }).catch(() => {})
  await expect.poll(() => started().length).toBeGreaterThan(0)
  return program
}

describe('a login program that hangs', () => {
  it('is run once for all that wait; each ends by its deadline, and none of its processes outlives the cluster', async () => {
    const { server, shown } = await lists()
    const cluster = clusterWith(script(hangs), server, quick)
    const errors = await Promise.all(Array.from({ length: 20 }, () => failure(listNodes(cluster))))
    for (const { code, message, remedyCommand } of errors) {
      expect(code).toBe('cluster_unauthorized')
      expect(message).toContain('has not answered within 0.3 seconds')
      expect(remedyCommand).toBe(String.raw`kubectl --context 'it'\''s; rm -rf ~' auth whoami`)
    }
    expect(JSON.stringify(errors.map((error) => error.toProblem()))).not.toContain(SECRET)
    expect(started()).toHaveLength(1)
    expect(left()).toHaveLength(2)
    cluster.close(new Error('closed'))
    await expect.poll(left).toEqual([])
    await expect(listNodes(cluster)).rejects.toThrow('closed')
    expect(started()).toHaveLength(1)
    expect(shown, 'nothing was sent later').toEqual([])
  })

  it('is ended after its own time limit, with what it started; the next request runs it again', async () => {
    const { server } = await lists()
    const cluster = clusterWith(script(hangs), server, { requestMs: 5_000, loginMs: 500 })
    expect((await failure(listNodes(cluster))).message).toContain('has not answered within 0.5 seconds')
    await expect.poll(left).toEqual([])
    await failure(listNodes(cluster))
    expect(started()).toHaveLength(2)
  })

  it('does not hold what is cancelled', async () => {
    const { server } = await lists()
    const cluster = clusterWith(script(hangs), server, { requestMs: 60_000 })
    const abort = new AbortController()
    const asked = listNodes(cluster, abort.signal)
    abort.abort(new Error('enough'))
    await expect(asked).rejects.toThrow('enough')
  })

  it('does not hold a command in a pod, nor a watch', async () => {
    const { server } = await lists()
    const cluster = clusterWith(script(hangs), server, quick)
    const at = { namespace: 'some', pod: 'one', container: 'main' }
    const command = execIn(cluster, at, ['true'], { signal: forever, deadlineMs: 60_000 }).next()
    const watched = watchObjects(cluster, { path: '/api/v1/nodes', permission: { resource: 'nodes' } }, forever).next()
    const codes = await Promise.all([failure(command), failure(watched)])
    expect(codes.map(({ code }) => code)).toEqual(['cluster_unauthorized', 'cluster_unauthorized'])
    expect(started()).toHaveLength(1)
  })

  it.each(['', ', also while it is stopped'])('does not hold the server’s end, and ends with it%s', async (stopped) => {
    const { child, ended } = await serverThatLogsIn()
    if (stopped !== '') for (const pid of left()) process.kill(pid, 'SIGSTOP')
    child.kill('SIGTERM')
    // A server that something holds ends at its deadline, and not with 0.
    expect((await ended).code).toBe(0)
    expect(started()).toHaveLength(1)
    await expect.poll(left).toEqual([])
  })

  it('ends with a server that is killed', async () => {
    const { child, ended } = await serverThatLogsIn()
    await expect.poll(isGuarded).toBe(true)
    expect(left()).toHaveLength(2)
    child.kill('SIGKILL')
    await ended
    await expect.poll(left).toEqual([])
  })
})

describe('credentials', () => {
  it('are kept until they expire, and asked for again then', async () => {
    const { server, shown } = await lists()
    let now = Date.parse('2026-01-01T00:00:00Z')
    const given = '{"token":"one","expirationTimestamp":"2026-01-01T01:00:00Z"}'
    const cluster = clusterWith(script(gives(given)), server, { now: () => now })
    await Promise.all(Array.from({ length: 5 }, () => listNodes(cluster)))
    now += 3_599_000
    await listNodes(cluster)
    expect(started()).toHaveLength(1)
    now += 1_000
    await listNodes(cluster)
    expect(started()).toHaveLength(2)
    expect(new Set(shown)).toEqual(new Set(['Bearer one']))
  })

  it('are asked for again after the API server has refused them', async () => {
    const { server } = await lists(401)
    const cluster = clusterWith(script(gives('{"token":"one"}')), server, {})
    for (let times = 0; times < 2; times += 1)
      expect((await failure(listNodes(cluster))).code).toBe('cluster_unauthorized')
    expect(started()).toHaveLength(2)
  })

  it('are renewed for commands in pods, too, if they are certificates', async () => {
    const [one, two] = await Promise.all(
      ['one', 'two'].map((name) => generate([{ name: 'commonName', value: name }], { keySize: 2048 })),
    )
    const shown: string[] = []
    const tls = createTls({ cert: one?.cert, key: one?.private, requestCert: true, rejectUnauthorized: false })
    tls.on('upgrade', (request, socket) => {
      shown.push((request.socket as TLSSocket).getPeerCertificate().subject?.CN?.toString() ?? 'none')
      socket.end('HTTP/1.1 403 No\r\ncontent-length: 0\r\n\r\n')
    })
    const server = `https://127.0.0.1:${await listen(tls)}`
    for (const [number, given] of [one, two].entries()) {
      const certificate = { clientCertificateData: given?.cert, clientKeyData: given?.private }
      const expirationTimestamp = `2026-01-01T0${number}:30:00Z`
      writeFileSync(join(dir, `given-${number}`), JSON.stringify({ status: { ...certificate, expirationTimestamp } }))
    }
    let now = Date.parse('2026-01-01T00:00:00Z')
    const body = 'cat "$DIR/given-0"; mv "$DIR/given-1" "$DIR/given-0" 2>/dev/null; true'
    const cluster = clusterWith(script(body), server, { now: () => now })
    const at = { namespace: 'some', pod: 'one', container: 'main' }
    const command = () => failure(execIn(cluster, at, ['true'], { signal: forever, deadlineMs: 60_000 }).next())
    await command()
    now += 3_600_000
    await command()
    expect(shown).toEqual(['one', 'two'])
  })

  it('come from a program that knows that nobody answers it, and which cluster it is for', async () => {
    const { server } = await lists()
    const body = `[ -t 0 ] || cat; echo "$KUBERNETES_EXEC_INFO" > "$DIR/info"; ${gives('{"token":"one"}')}`
    const exec = { apiVersion: 'client.authentication.k8s.io/v1beta1', provideClusterInfo: true }
    await listNodes(clusterWith(script(body), server, {}, exec))
    expect(JSON.parse(readFileSync(join(dir, 'info'), 'utf8'))).toEqual({
      kind: 'ExecCredential',
      apiVersion: 'client.authentication.k8s.io/v1beta1',
      spec: { interactive: false, cluster: { server, 'insecure-skip-tls-verify': true } },
    })
  })
})

describe('a login program that fails', () => {
  it.each([
    ['with its own words', 'echo "token has gone stale" >&2; exit 3', 'token has gone stale'],
    ['without words', 'exit 3', 'it ended with exit code 3'],
    ['by printing something else', `echo ${SECRET}`, 'it did not print an ExecCredential'],
    ['by printing without an end', 'yes', 'it printed too much'],
  ])('%s is reported', async (_how, body, detail) => {
    const { server } = await lists()
    const error = await failure(listNodes(clusterWith(script(body), server, {})))
    expect(error).toMatchObject({ code: 'cluster_unauthorized', detail })
    expect(JSON.stringify(error.toProblem())).not.toContain(SECRET)
  })

  it('because it is not installed is reported with the kubeconfig’s hint', async () => {
    const { server } = await lists()
    const missing = clusterWith(join(dir, 'absent'), server, {}, { installHint: 'Install absent.' })
    expect((await failure(listNodes(missing))).remedy).toContain('The kubeconfig says: Install absent.')
  })

  it('is refused before it can block the process, if it is an old auth provider', () => {
    const config = configOf('true', 'https://one.example')
    const authProvider = { name: 'gcp', config: { 'cmd-path': script('sleep 1000') } }
    config.users = [{ name: 'me', authProvider }]
    expect(() => createCluster(config)).toThrow(/auth provider gcp/)
  })

  it('because its entry is wrong is a wrong kubeconfig', () => {
    expect(() => createCluster(configOf('', 'https://one.example'))).toThrow(/not described correctly/)
  })
})

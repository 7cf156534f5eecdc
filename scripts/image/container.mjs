/** The server in its container, as `docker-compose.yml` runs it, in a project and a volume of its own. */
import { readFile } from 'node:fs/promises'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import { capture, run } from '../base/child.mjs'
import { root } from '../base/paths.mjs'

/**
 * @typedef {{id: string, label: string}} Arm
 * @typedef {object} Run
 * @property {string} stepId
 * @property {string} state
 * @property {{code: string, message: string} | null} problem
 * @property {{arms: Arm[]} | null} plan of an experiment
 * @property {(Arm & {reason: string})[]} leftOut
 * @typedef {Awaited<ReturnType<typeof openContainer>>} Container
 */

const POLL_MS = 500
/** How long one lab may take, on a busy machine too. */
const LAB_MS = 600_000
const READY_MS = 60_000

async function freePort() {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const address = probe.address()
  probe.close()
  await once(probe, 'close')
  if (address === null || typeof address === 'string') throw new Error('no port')
  return address.port
}

/** @param {NodeJS.ProcessEnv} machine its environment, which names the daemon */
export async function openContainer(machine) {
  const port = await freePort()
  const origin = `http://127.0.0.1:${port}`
  const project = ['compose', '--project-name', 'expresslane-check']
  const env = { ...machine, PORT: `${port}`, EXPRESSLANE_TOKEN: '', EXPRESSLANE_WORKSHOP: '', EXPRESSLANE_ORIGINS: '' }
  let token = ''

  /** @param {...string} args */
  async function docker(...args) {
    const ended = await run('docker', [...project, ...args], { cwd: root, env, stdio: ['ignore', 2, 2] })
    if (ended.code !== 0) throw new Error(`docker ${[...project, ...args].join(' ')} failed; its output is above`)
  }

  /** @param {...string} argv */
  async function exec(...argv) {
    const out = await capture('docker', [...project, 'exec', '-T', 'expresslane', ...argv], { cwd: root, env })
    if (out === null) throw new Error(`${argv.join(' ')} failed in the container`)
    return out
  }

  /**
   * @param {string} method
   * @param {string} path
   * @param {string | object} [body] a text is sent as it is
   */
  async function ask(method, path, body) {
    const answer = await fetch(`${origin}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    const text = await answer.text()
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`)
    return text === '' ? null : JSON.parse(text)
  }

  async function untilReady() {
    const end = performance.now() + READY_MS
    for (;;) {
      const answer = await fetch(`${origin}/readyz`).catch(() => null)
      if (answer?.ok === true) return
      if (performance.now() > end) throw new Error(`not ready after ${READY_MS / 1000} s`)
      await setTimeout(POLL_MS)
    }
  }

  /** @param {string} session @returns {Promise<Run[]>} newest first */
  async function runs(session) {
    /** @type {{runs: Run[]}} */
    const { runs: all } = await ask('GET', `/api/sessions/${session}`)
    return all.toReversed()
  }

  /**
   * @param {string} session
   * @param {(runs: readonly Run[]) => boolean} enough newest first
   */
  async function until(session, enough) {
    const end = performance.now() + LAB_MS
    for (let now = await runs(session); ; now = await runs(session)) {
      if (enough(now)) return now
      if (performance.now() > end) throw new Error(`still ${now[0]?.state} at ${now[0]?.stepId}`)
      await setTimeout(POLL_MS)
    }
  }

  /** @param {Run | undefined} latest */
  const isOpen = (latest) => latest?.state === 'running' || latest?.state === 'queued'

  return {
    exec,
    async up() {
      await docker('up', '--detach', '--no-build')
      await untilReady()
      token = (await exec('cat', '/data/token')).trim()
    },
    down: () => docker('down'),
    /** @returns how long it took, in milliseconds */
    async stop() {
      const begun = performance.now()
      await docker('stop')
      return performance.now() - begun
    },
    /** @param {string} labId @param {string} [testbed] @returns {Promise<string>} the session's id */
    begin: async (labId, testbed = 'netns') => (await ask('POST', '/api/sessions', { labId, testbed })).session.id,
    /** @param {string} lab @returns {Promise<string>} the last step with an action */
    async lastStep(lab) {
      /** @type {{labs: {id: string, steps: {id: string, action: object | null}[]}[]}} */
      const { labs } = await ask('GET', '/api/labs')
      const steps = labs.find(({ id }) => id === lab)?.steps ?? []
      return steps.findLast(({ action }) => action !== null)?.id ?? ''
    },
    /** @param {string} session @param {string} step @param {object} body */
    start: (session, step, body) => ask('POST', `/api/sessions/${session}/steps/${step}/run`, body),
    /** When nothing of the session runs. @param {string} session @returns {Promise<Run[]>} oldest first */
    settled: async (session) =>
      (await until(session, ([latest]) => latest !== undefined && !isOpen(latest))).toReversed(),
    /** When a measurement is under way. @param {string} session */
    running: (session) =>
      until(session, ([latest]) => isOpen(latest) && /measure|baseline|compare/.test(latest?.stepId ?? '')),
    runs,
    /** @param {string} file @returns {Promise<string>} its id */
    importRecording: async (file) => (await ask('POST', '/api/recordings', await readFile(file, 'utf8'))).id,
    /** The data that must survive a restart. */
    async kept() {
      const { recordings } = await ask('GET', '/api/recordings')
      const { runs: all } = await ask('GET', '/api/runs?limit=100')
      return { runs: all.length, recordings: recordings.length, token }
    },
    log: async () => (await capture('docker', [...project, 'logs', '--tail', '60'], { cwd: root, env })) ?? '',
    remove: () => docker('down', '--volumes', '--timeout', '5'),
  }
}

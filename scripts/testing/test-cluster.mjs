/**
 * The real cluster that the tests may use: the cluster that E2E_KUBECONFIG names, or a cluster that the program in
 * E2E_CLUSTER (a command line, split at spaces, run in the checkout's root) makes for as long as the tests run. That
 * program begins slow preparations at once; brings the cluster up when it is sent a line; prints the tests' variables
 * as `NAME=value` lines, and then `ready`; and takes the cluster down when its input ends. If it ends before `ready`,
 * its last words on stderr say why.
 */
import { createWriteStream, mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { exitCode, start } from '../base/child.mjs'
import { cache, root } from '../base/paths.mjs'

/**
 * @typedef {object} TestCluster
 * @property {() => Promise<NodeJS.ProcessEnv | string>} ready brings it up, once: the variables to test with, or why there is none
 * @property {() => Promise<boolean>} end takes it down; false where that failed
 */

/**
 * @param {NodeJS.ProcessEnv} env
 * @param {string} logFile for the program's output
 * @returns {TestCluster}
 */
export function openTestCluster(env, logFile = join(cache, 'cluster.log')) {
  const { E2E_KUBECONFIG: kubeconfig = '', E2E_CLUSTER: program = '' } = env
  if (kubeconfig !== '') return given(env)
  const [file, ...args] = program.split(' ').filter((word) => word !== '')
  if (file === undefined) return given('E2E_KUBECONFIG names none')
  return made(file, args, env, logFile)
}

/** @param {NodeJS.ProcessEnv | string} found @returns {TestCluster} */
function given(found) {
  return { ready: () => Promise.resolve(found), end: () => Promise.resolve(true) }
}

/**
 * @param {string} file
 * @param {readonly string[]} args
 * @param {NodeJS.ProcessEnv} env
 * @param {string} logFile
 * @returns {TestCluster}
 */
function made(file, args, env, logFile) {
  mkdirSync(dirname(logFile), { recursive: true })
  const log = createWriteStream(logFile)
  const { child, ended } = start(file, args, { cwd: root, env, stdio: ['pipe', 'pipe', 'pipe'] })
  const { stdin, stdout, stderr } = child
  if (stdin === null || stdout === null || stderr === null) throw new Error('a child with pipes has none')
  let words = 'it ended without output'
  createInterface({ input: stderr }).on('line', (line) => {
    log.write(`${line}\n`)
    if (line.trim() !== '') words = line.trim()
  })
  // The program may end before it is sent anything.
  stdin.on('error', () => {})
  /** @type {NodeJS.ProcessEnv} */
  const variables = {}
  /** @type {Promise<NodeJS.ProcessEnv | string>} */
  const up = new Promise((resolve) => {
    createInterface({ input: stdout }).on('line', (line) => {
      if (line === 'ready') resolve(variables)
      const [name = '', value] = line.split(/=(.*)/s)
      if (value !== undefined) variables[name] = value
    })
    ended.then(
      () => resolve(`${words} (full log: ${logFile})`),
      (/** @type {Error} */ error) => resolve(error.message),
    )
  })
  let asked = false
  return {
    ready() {
      if (!asked) stdin.write('up\n')
      asked = true
      return up
    },
    async end() {
      stdin.end()
      const found = await Promise.race([up, ended.catch(() => null)])
      const last = await ended.catch(() => null)
      log.end()
      return typeof found === 'string' || (last !== null && exitCode(last) === 0)
    },
  }
}

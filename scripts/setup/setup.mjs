/** Sets up a checkout until it runs. Does nothing if that is done. */
import { run } from '../base/child.mjs'
import { inRoot } from '../base/paths.mjs'
import { timed } from '../base/say.mjs'
import { isUnpacked, withPrograms } from '../tools/bundle.mjs'
import { build, isBuilt, startOnce } from './bundles.mjs'
import { announced } from './coming.mjs'
import { alone } from './lock.mjs'
import { environment, installPackages, installedNode } from './packages.mjs'
import { countedTools, find, QEMU } from './system-tools.mjs'
import { ensureTools, sources } from './tools.mjs'

/**
 * @typedef {import('./system-tools.mjs').Tool} Tool
 * @typedef {{node: string, env: NodeJS.ProcessEnv}} Machine the Node and the environment to run programs with
 *
 * @typedef {object} Needs
 * @property {boolean} allPackages whether to have those for tests and checks, too
 * @property {boolean} page
 * @property {boolean} [viewer] that `--open` fills
 * @property {boolean} [server] whether the next start finds the server in a bundle
 * @property {readonly Tool[]} tools
 * @property {readonly Tool[]} [someTools] that only some labs need
 * @property {boolean} toolsRequired whether to stop where a tool is missing and cannot be had
 * @property {boolean} counted whether to prepare the counted machine, which is never required
 * @property {boolean} [twoKernels] whether it gets a second kernel, to be compared with the first
 */

/** @param {Needs} needs @returns {Promise<Machine>} */
export async function setUp(needs) {
  const { later, ...machine } = await setUpFirst(needs)
  await later()
  return machine
}

/**
 * Sets up the part that every lab needs.
 *
 * @param {Needs} needs
 * @returns {Promise<Machine & {later: () => Promise<void>}>} `later` sets up the rest, for which the environment is ready
 */
export async function setUpFirst({
  allPackages,
  page,
  viewer = false,
  server = false,
  tools,
  someTools = [],
  toolsRequired,
  counted,
  twoKernels = false,
}) {
  const pages = /** @type {const} */ (['page', 'viewer']).filter((name) => ({ page, viewer })[name])
  const rest = [...someTools, ...(counted ? countedTools : [])]
  const machine = environment(process.execPath)
  const work = /** @type {const} */ ([
    packagesAndPages(allPackages, pages),
    ensureTools(tools, { env: machine, required: toolsRequired }),
    sources(rest, machine),
  ])
  // When one fails the others go on: their programs would outlive this process.
  await Promise.allSettled(work)
  const [node, here, { offered }] = await Promise.all(work)
  const env = withPrograms([...here, ...offered], environment(node))
  const names = [
    ...offered.filter(({ set }) => !isUnpacked(set)).map((tool) => tool.package),
    ...(counted ? ['kernel'] : []),
  ]
  return {
    node,
    env,
    later: announced(names, async () => {
      if (rest.length > 0) await ensureTools(rest, { env: machine, required: false })
      // Without QEMU there is nothing to prepare, which was said.
      if (counted && find(QEMU, env) !== null) {
        const prepare = [inRoot('scripts', 'counted', 'main.mjs'), 'prepare', ...(twoKernels ? ['two'] : [])]
        await run(node, prepare, { env, stdio: ['ignore', 2, 2] })
      }
      if (server && !isBuilt('server')) {
        await alone(() => build('server', node, env))
        await startOnce(node, env)
      }
    }),
  }
}

/**
 * @param {boolean} all
 * @param {readonly ('page' | 'viewer')[]} pages
 * @returns {Promise<string>} the Node to run on
 */
async function packagesAndPages(all, pages) {
  const node = installedNode(all)
  if (node !== null && pages.every(isBuilt)) return node
  return await alone(async () => {
    // Another process may have done it while this one waited.
    const current = installedNode(all) ?? (await timed('Installed the packages', () => installPackages(all)))
    for (const name of pages) if (!isBuilt(name)) await build(name, current, environment(current))
    return current
  })
}

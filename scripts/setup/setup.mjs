/** Sets up a checkout until it runs. Does nothing if that is done. */
import { run } from '../base/child.mjs'
import { inRoot } from '../base/paths.mjs'
import { alone } from './lock.mjs'
import { environment, installPackages, installedNode } from './packages.mjs'
import { buildPage, pageIsBuilt } from './page.mjs'
import { countedTools, find, QEMU } from './system-tools.mjs'
import { ensureTools } from './tools.mjs'

/**
 * @typedef {object} Needs
 * @property {boolean} page
 * @property {readonly import('./system-tools.mjs').Tool[]} tools
 * @property {boolean} toolsRequired whether to stop where a tool is missing and cannot be installed
 * @property {boolean} counted whether to prepare the counted machine, which is never required
 * @property {boolean} [twoKernels] whether it gets a second kernel, to be compared with the first
 */

/**
 * @param {Needs} needs
 * @returns {Promise<{node: string, env: NodeJS.ProcessEnv}>} the Node and the environment to run programs with
 */
export async function setUp({ page, tools, toolsRequired, counted, twoKernels = false }) {
  let node = installedNode()
  if (node === null || (page && !pageIsBuilt())) {
    node = await alone(async () => {
      // Another process may have done it while this one waited.
      const current = installedNode() ?? (await installPackages())
      if (page && !pageIsBuilt()) await buildPage(current, environment(current))
      return current
    })
  }
  const env = environment(node)
  await ensureTools(tools, { env, required: toolsRequired })
  if (counted) {
    await ensureTools(countedTools, { env, required: false })
    // Without it there is nothing to prepare, which was said.
    if (find(QEMU, env) === null) return { node, env }
    const kernels = twoKernels ? ['two'] : []
    await run(node, [inRoot('scripts', 'counted', 'main.mjs'), 'prepare', ...kernels], { env, stdio: ['ignore', 2, 2] })
  }
  return { node, env }
}

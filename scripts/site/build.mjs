/** Builds the static viewer into `site/`: files for any web server, any folder, or a disk. */
import { createHash } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { run } from '../base/child.mjs'
import { inRoot, root } from '../base/paths.mjs'
import { FrameError, say, timed } from '../base/say.mjs'
import { readyMachine } from '../machine/machine.mjs'
import { addMachine } from './machine.mjs'

/** @param {string} name */
const template = (name) => readFileSync(inRoot('web', 'site', name), 'utf8')

/** @param {string} text @param {Record<string, string>} values */
const filled = (text, values) =>
  Object.entries(values).reduce((now, [key, value]) => now.replaceAll(`{${key}}`, () => value), text)

/**
 * @param {string} node
 * @param {readonly string[]} args
 * @param {string} cwd
 * @param {NodeJS.ProcessEnv} env
 */
async function runOrFail(node, args, cwd, env) {
  const { code, signal } = await run(node, args, { cwd, env, stdio: ['ignore', 2, 2] })
  if (code === 0) return
  throw new FrameError(
    `The site could not be built: ${args[0]} ended with ${code ?? signal}; its output is above.`,
    'If you changed the page, `npm run check` shows more. Otherwise the disk may be full.',
  )
}

/** @param {string} file a manifest of Vite's @returns {string} the file of its entry */
function entryOf(file) {
  /** @type {Record<string, {file: string, isEntry?: boolean}>} */
  const manifest = JSON.parse(readFileSync(file, 'utf8'))
  const entry = Object.values(manifest).find(({ isEntry }) => isEntry === true)
  if (entry === undefined) throw new Error(`${file} has no entry`)
  return entry.file
}

/** @param {string} folder @returns {string[]} all files, with `/` between folders */
function filesIn(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .toSorted()
}

/** The page, its first script and its service worker, which name the built files. @param {string} site */
function writePage(site) {
  const [module, whole] = ['manifest.json', 'whole.json'].map((name) => entryOf(join(site, name)))
  if (module === undefined || whole === undefined) throw new Error('two manifests')
  for (const name of ['manifest.json', 'whole.json']) rmSync(join(site, name))
  const [styles] = filesIn(site).filter((file) => file.endsWith('.css'))
  if (styles === undefined) throw new Error('the site has no stylesheet')
  writeFileSync(join(site, 'index.html'), filled(template('index.html'), { module, whole, styles }))
  writeFileSync(join(site, 'boot.js'), template('boot.js'))
  // A page from a server does without the script for disks; recordings and the computer are kept once they are opened.
  const files = filesIn(site).filter((file) => file !== whole && !/^(machine|recordings)\//.test(file))
  const hash = createHash('sha256')
  for (const file of filesIn(site)) hash.update(`${file}\n`).update(readFileSync(join(site, file)))
  const values = { digest: hash.digest('hex').slice(0, 16), files: JSON.stringify(['./', ...files]) }
  writeFileSync(join(site, 'service-worker.js'), filled(template('service-worker.js'), values))
}

/**
 * Builds beside the present site, and then replaces it.
 *
 * @param {{node: string, env: NodeJS.ProcessEnv}} machine
 * @param {string} [target] the folder
 */
export async function buildSite({ node, env }, target = inRoot('site')) {
  mkdirSync(dirname(target), { recursive: true })
  const made = mkdtempSync(`${target}-`)
  const site = join(made, 'site')
  const vite = inRoot('web', 'node_modules', 'vite', 'bin', 'vite.js')
  const { version } = JSON.parse(readFileSync(inRoot('package.json'), 'utf8'))
  try {
    await timed('Built the site', async () => {
      await runOrFail(node, [inRoot('scripts', 'site', 'contents.mjs'), site, version], root, env)
      const args = [vite, 'build', '--logLevel', 'warn', '--config', 'vite.site.config.ts']
      await runOrFail(node, args, inRoot('web'), { ...env, NODE_ENV: 'production', SITE_OUT: site })
    })
    const machine = readyMachine()
    if (machine !== null) {
      await addMachine(machine, site, (args, cwd, more) =>
        runOrFail(node, args, cwd, { ...env, NODE_ENV: 'production', ...more }),
      )
    }
    writePage(site)
    if (existsSync(target)) rmSync(target, { recursive: true })
    renameSync(site, target)
  } finally {
    rmSync(made, { recursive: true, force: true })
  }
  say(`The site is in ${target}: open its index.html, or put the folder on any web server.`)
}

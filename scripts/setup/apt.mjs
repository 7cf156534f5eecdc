/** Installs tools with apt, as root, without a question and without starting a service. */
import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { moreSources, parseDeb822, parseOneLine } from './apt-sources.mjs'
import { capture, run } from '../base/child.mjs'
import { FrameError, say } from '../base/say.mjs'
import { withoutServices } from './services.mjs'
import { iproute2IsNew, netserverListens, system } from './system-tools.mjs'

/** @typedef {import('./system-tools.mjs').Tool} Tool */

const sourcesFile = '/etc/apt/sources.list.d/expresslane.sources'
const quiet = ['-qq', '-o', 'DPkg::Lock::Timeout=120', '-o', 'Dpkg::Use-Pty=0']

/**
 * @param {readonly Tool[]} tools
 * @param {NodeJS.ProcessEnv} machine the environment to run apt in
 */
export async function aptInstall(tools, machine) {
  const env = { ...machine, DEBIAN_FRONTEND: 'noninteractive', NEEDRESTART_SUSPEND: '1', LC_ALL: 'C' }
  say(`Installing ${tools.map((tool) => tool.package).join(', ')} with apt ...`)
  const heardBefore = netserverListens()
  // A stale or empty package list is the rule on a fresh machine; where it cannot be fetched the one there may do.
  await apt(['update'], env)
  let { specs, lacking } = await choose(tools, env)
  if (lacking.length > 0 && addSources(lacking)) {
    await apt(['update'], env)
    ;({ specs, lacking } = await choose(tools, env))
  }
  if (lacking.length > 0) throw unavailable(lacking)

  const ended = await withoutServices(() => apt(['install', '--yes', '--no-install-recommends', ...specs], env))
  if (ended.code !== 0) {
    throw new FrameError(
      `apt-get could not install ${specs.join(' ')}; its output is above.`,
      'Check that the mirror can be reached (apt-get update) and that no package is half installed (dpkg --audit).',
    )
  }
  // netserver would listen on every address after the next boot, and a resolver or a translator run.
  for (const { service } of tools)
    if (service !== undefined) await capture('update-rc.d', [service, 'disable'], { env })
  if (!heardBefore && netserverListens()) {
    say("Note: a netserver now listens on this machine's network. To stop it: service netperf stop")
  }
}

/**
 * @param {readonly string[]} args
 * @param {NodeJS.ProcessEnv} env
 */
function apt(args, env) {
  // dpkg prints each package's progress on stdout, and errors on stderr.
  return run('apt-get', [...quiet, ...args], { env, stdio: ['ignore', 'ignore', 'inherit'] })
}

/**
 * The packages to ask apt for, so that each tool is there and new enough.
 *
 * @param {readonly Tool[]} tools
 * @param {NodeJS.ProcessEnv} env
 * @returns {Promise<{specs: string[], lacking: string[]}>} lacking: packages that the sources lack, or have too old
 */
async function choose(tools, env) {
  const specs = []
  const lacking = []
  for (const { package: name, with: others = [] } of tools) {
    const listed = (await capture('apt-cache', ['madison', name], { env })) ?? ''
    const versions = listed.split('\n').flatMap((line) => line.split('|')[1]?.trim() ?? [])
    const version = name === 'iproute2' ? versions.find(iproute2IsNew) : versions[0]
    if (version === undefined) lacking.push(name)
    else specs.push(name === 'iproute2' ? `${name}=${version}` : name, ...others)
  }
  return { specs, lacking }
}

/**
 * @param {readonly string[]} packages
 * @returns {boolean} whether sources were added
 */
function addSources(packages) {
  const folder = '/etc/apt/sources.list.d'
  const files = ['/etc/apt/sources.list', ...readdirSync(folder).map((name) => join(folder, name))]
  const sources = files
    .filter((file) => existsSync(file) && file !== sourcesFile)
    .flatMap((file) => {
      if (file.endsWith('.sources')) return parseDeb822(readFileSync(file, 'utf8'))
      return file.endsWith('.list') ? parseOneLine(readFileSync(file, 'utf8')) : []
    })
  const text = moreSources(sources, system(), packages)
  if (text === null) return false
  say(`Writing ${sourcesFile} (the same mirror and key as the system's own).`)
  writeFileSync(sourcesFile, text)
  return true
}

/** @param {readonly string[]} packages */
function unavailable(packages) {
  const { id, codename } = system()
  const names = packages.map((name) => (name === 'iproute2' ? 'iproute2 6.3 or newer' : name))
  return new FrameError(
    `apt finds no ${names.join(' and no ')} for ${id} ${codename}.`,
    'If its output above names a mirror that cannot be reached, fix that first. Debian 12 and 13 and' +
      ' Ubuntu 25.04 offer them; on an older release install them by hand. Then run the command again.',
  )
}

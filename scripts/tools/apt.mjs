/** apt with a state of its own: it reads the machine's mirror and keys, and writes to one folder alone. */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { capture, run } from '../base/child.mjs'
import { FrameError } from '../base/say.mjs'
import { system } from '../setup/system-tools.mjs'
import { fields, parseIndex, RELEASE } from './lock.mjs'
import { parseDeb822, parseOneLine, sourcesOf } from './sources.mjs'

/** Fetches files with apt's own settings: proxies, certificates, passwords of mirrors. */
const HELPER = '/usr/lib/apt/apt-helper'

const suites = [RELEASE, `${RELEASE}-updates`]

/**
 * @param {readonly string[]} [more] suites besides the release's own
 * @returns {{uri: string, text: string} | null} the machine's mirror, and a sources file for the tools' release
 */
export function mirror(more = []) {
  const { id, codename } = system()
  if (!existsSync(HELPER)) return null
  const named = process.env['EXPRESSLANE_DEBIAN_MIRROR'] ?? ''
  if (named === '' && id !== 'debian') return null
  const sources = named === '' ? ownSources() : [namedSource(named, codename)]
  const found = sourcesOf(sources, codename, [...suites, ...more])
  const [, list] = /^mirror\+file:(?:\/\/)?(\/.*?)\/*$/.exec(found?.uri ?? '') ?? []
  if (found === null || list === undefined) return found
  const [uri = ''] = existsSync(list) ? readFileSync(list, 'utf8').split(/\s+/) : []
  return uri === '' ? null : { ...found, uri: uri.replace(/\/*$/, '/') }
}

/** A relative of Debian has no mirror of its packages among its own sources. @param {string} uri @param {string} suite */
function namedSource(uri, suite) {
  const keyring = '/usr/share/keyrings/debian-archive-keyring.gpg'
  return { uri, suite, components: ['main'], options: existsSync(keyring) ? [`Signed-By: ${keyring}`] : [] }
}

function ownSources() {
  const folder = '/etc/apt/sources.list.d'
  const names = existsSync(folder) ? readdirSync(folder) : []
  return ['/etc/apt/sources.list', ...names.map((name) => join(folder, name))]
    .filter((file) => existsSync(file))
    .flatMap((file) => {
      if (file.endsWith('.sources')) return parseDeb822(readFileSync(file, 'utf8'))
      return file.endsWith('.list') ? parseOneLine(readFileSync(file, 'utf8')) : []
    })
}

/**
 * @param {string} folder for apt's state
 * @param {string} arch
 * @param {NodeJS.ProcessEnv} machine
 * @param {readonly string[]} [more] suites besides the release's own
 * @returns {NodeJS.ProcessEnv} with it apt keeps to the folder
 */
export function ownApt(folder, arch, machine, more = []) {
  const lists = join(folder, 'state', 'lists', 'partial')
  for (const path of [lists, join(folder, 'cache', 'archives', 'partial')]) mkdirSync(path, { recursive: true })
  const sources = join(folder, 'tools.sources')
  writeFileSync(sources, mirror(more)?.text ?? '')
  const settings = {
    'APT::Architecture': arch,
    'APT::Architectures': arch,
    // As root apt would fetch as its own user, who may not enter this folder.
    'APT::Sandbox::User': 'root',
    'Acquire::Languages': 'none',
    'Debug::NoLocking': '1',
    'Dir::State': join(folder, 'state'),
    'Dir::State::status': '/dev/null',
    'Dir::Cache': join(folder, 'cache'),
    'Dir::Etc::sourcelist': sources,
    'Dir::Etc::sourceparts': '/dev/null',
    'Dir::Etc::preferencesparts': '/dev/null',
  }
  const file = join(folder, 'apt.conf')
  // The machine's hooks after an update can write elsewhere.
  const cleared = ['APT::Architectures', 'APT::Update::Post-Invoke', 'APT::Update::Post-Invoke-Success']
  const lines = Object.entries(settings).map(([name, value]) => `${name} "${value}";`)
  writeFileSync(file, `${[...cleared.map((name) => `#clear ${name};`), ...lines].join('\n')}\n`)
  return { ...machine, APT_CONFIG: file, LC_ALL: 'C', TMPDIR: folder }
}

/**
 * Fetches the index of the release, whose signature apt checks.
 *
 * @param {NodeJS.ProcessEnv} env of {@link ownApt}
 * @returns {Promise<import('./lock.mjs').Index>}
 */
export async function fetchIndex(env) {
  const { code } = await run('apt-get', ['-qq', '-o', 'APT::Update::Error-Mode=any', 'update'], {
    env,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const all =
    code === 0
      ? await capture('sh', ['-c', `apt-cache dumpavail | grep -E '^(${fields.join('|')}):|^$'`], { env })
      : null
  if (all !== null) return parseIndex(all)
  throw new FrameError(
    `apt could not fetch the index of Debian ${RELEASE} from this machine's mirror; its output is above.`,
    'Check that the mirror can be reached (/etc/apt), and that it has this release. Then run the command again.',
  )
}

/**
 * Fetches files as far as it can; what is missing then is the caller's to see.
 *
 * @param {readonly {uri: string, file: string}[]} files
 * @param {NodeJS.ProcessEnv} env of {@link ownApt}
 */
export async function download(files, env) {
  const args = files.flatMap(({ uri, file }) => [uri, file])
  await run(HELPER, ['-qq', 'download-file', ...args], { env, stdio: 'ignore' })
}

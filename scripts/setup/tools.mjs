/** Checks the machine's tools, and gets missing tools for this user alone; where that can't be, prints a command. */
import { FrameError, say, timed } from '../base/say.mjs'
import { ensureSet, isOffered, isUnpacked } from '../tools/bundle.mjs'
import { RELEASE } from '../tools/lock.mjs'
import { allTools, find, missing, oldestIproute2 } from './system-tools.mjs'

/** @typedef {import('./system-tools.mjs').Tool} Tool */

/**
 * @param {readonly Tool[]} tools
 * @param {{env: NodeJS.ProcessEnv, required: boolean}} options where they are not required the
 *   command goes on without: the page's preflight shows the missing tools and the labs that need them
 * @returns {Promise<readonly Tool[]>} the tools that do not come from the machine
 */
export async function ensureTools(tools, { env, required }) {
  const { offered, lacking } = await sources(tools, env)
  try {
    await ensureSets(offered, env)
    if (lacking.length > 0) throw byHand(lacking, env)
    return offered
  } catch (error) {
    if (required || !(error instanceof FrameError)) throw error
    say(`\n${error.message}\n${error.remedy}\nContinuing without them: the page's preflight shows what can't run.\n`)
    return offered
  }
}

/**
 * Sorts the tools that the machine does not have, or has too old.
 *
 * @param {readonly Tool[]} tools
 * @param {NodeJS.ProcessEnv} env
 * @returns {Promise<{offered: Tool[], lacking: Tool[]}>} offered: those in the sets
 */
export async function sources(tools, env) {
  const absent = await missing(tools, env)
  const sets = new Set(absent.map(({ set }) => set).filter((set) => isOffered(set)))
  return { offered: absent.filter(({ set }) => sets.has(set)), lacking: absent.filter(({ set }) => !sets.has(set)) }
}

/** @param {readonly Tool[]} tools @param {NodeJS.ProcessEnv} env */
async function ensureSets(tools, env) {
  if (tools.length === 0) return
  for (const set of new Set(
    ['core', ...tools.map((tool) => tool.set)].map((name) => /** @type {Tool['set']} */ (name)),
  )) {
    if (isUnpacked(set)) continue
    const names = tools.filter((tool) => tool.set === set).map((tool) => tool.package)
    say(`Fetching ${names.join(', ') || 'libraries'} of Debian ${RELEASE} for this user; nothing is installed ...`)
    const all = allTools.filter((tool) => tool.set === set)
    await timed(`Got the ${set} tools`, () => ensureSet(set, all, env))
  }
}

/** @type {readonly {command: string, install: string, names: Readonly<Record<string, string | null>>}[]} */
const otherSystems = [
  {
    command: 'dnf',
    install: 'sudo dnf install -y',
    names: {
      netperf: null,
      iproute2: 'iproute',
      ldnsutils: 'ldns-utils',
      'iputils-ping': 'iputils',
      'firefox-esr': null,
    },
  },
  {
    command: 'pacman',
    install: 'sudo pacman -S --needed',
    names: { netperf: null, tayga: null, ldnsutils: 'ldns', 'iputils-ping': 'iputils', 'firefox-esr': null },
  },
  {
    command: 'zypper',
    install: 'sudo zypper install -y',
    names: { netperf: null, iperf3: 'iperf', ldnsutils: 'ldns', 'iputils-ping': 'iputils', 'firefox-esr': null },
  },
  { command: 'apt-get', install: 'sudo apt-get install --no-install-recommends', names: {} },
  { command: 'apk', install: 'sudo apk add', names: { netperf: null, tayga: null, ldnsutils: 'drill' } },
]

/**
 * @param {readonly Tool[]} lacking
 * @param {NodeJS.ProcessEnv} env
 */
function byHand(lacking, env) {
  const names = lacking.map(({ package: name }) =>
    name === 'iproute2' ? `iproute2 ${oldestIproute2.join('.')}` : name,
  )
  const message = `This machine lacks ${names.join(', ')} (or the version is too old).`
  const other = otherSystems.find(({ command }) => find(command, env) !== null)
  const packages = lacking.map(({ package: name }) => {
    const known = other?.names[name]
    return known === undefined ? name : known
  })
  const packaged = packages.filter((name) => name !== null)
  const lines = []
  if (other !== undefined && packaged.length > 0) {
    lines.push(`Install what is missing with:\n\n  ${other.install} ${packaged.join(' ')}\n`)
  }
  if (other?.command === 'apt-get') {
    lines.push(
      'Or let them be fetched without installing:\n\n  EXPRESSLANE_DEBIAN_MIRROR=ADDRESS_OF_A_DEBIAN_MIRROR npm start\n',
    )
  }
  /** @param {string} name */
  const isLeft = (name) =>
    lacking.some((tool) => tool.package === name) && (other === undefined || other.names[name] === null)
  if (isLeft('netperf')) {
    lines.push(
      'netperf is not packaged for this system, or under another name: build it from' +
        ' https://github.com/HewlettPackard/netperf with ./configure --enable-demo, and put it in the PATH.',
    )
  }
  if (isLeft('tayga'))
    lines.push('tayga is not packaged for this system, or under another name: only its own lab needs it.')
  if (isLeft('firefox-esr'))
    lines.push(
      'firefox-esr is not packaged for this system, or under another name: install Firefox, and put a link to it with' +
        ' this name in the PATH.',
    )
  return new FrameError(message, lines.join('\n'))
}

/** Checks the machine's tools, and installs missing tools; without the permission, prints the command. */
import { aptInstall } from './apt.mjs'
import { alone } from './lock.mjs'
import { inRoot } from '../base/paths.mjs'
import { FrameError, say } from '../base/say.mjs'
import { removeLeftPolicy } from './services.mjs'
import { countedTools, find, missing, oldestIproute2, system, testTools } from './system-tools.mjs'

/** @typedef {import('./system-tools.mjs').Tool} Tool */

/**
 * @param {readonly Tool[]} tools
 * @param {{env: NodeJS.ProcessEnv, required: boolean}} options where they are not required the
 *   command goes on without: the page's preflight shows the missing tools and the labs that need them
 */
export async function ensureTools(tools, { env, required }) {
  if (process.getuid?.() === 0) removeLeftPolicy()
  const lacking = await missing(tools, env)
  if (lacking.length === 0) return
  const debian = system().family.includes('debian') && find('apt-get', env) !== null
  try {
    if (!debian || process.getuid?.() !== 0) throw byHand(lacking, debian, env)
    await alone(async () => {
      // Another process may have done it while this one waited.
      const now = await missing(lacking, env)
      if (now.length > 0) await aptInstall(now, env)
    })
    const still = await missing(lacking, env)
    if (still.length > 0) throw byHand(still, debian, env)
  } catch (error) {
    if (required || !(error instanceof FrameError)) throw error
    say(`\n${error.message}\n${error.remedy}\nContinuing without them: the page's preflight shows what can't run.\n`)
  }
}

/** @type {readonly {command: string, install: string, names: Readonly<Record<string, string | null>>}[]} */
const otherSystems = [
  {
    command: 'dnf',
    install: 'sudo dnf install -y',
    names: { netperf: null, iproute2: 'iproute', ldnsutils: 'ldns-utils', 'iputils-ping': 'iputils' },
  },
  {
    command: 'pacman',
    install: 'sudo pacman -S --needed',
    names: { netperf: null, tayga: null, ldnsutils: 'ldns', 'iputils-ping': 'iputils' },
  },
  {
    command: 'zypper',
    install: 'sudo zypper install -y',
    names: { netperf: null, iperf3: 'iperf', ldnsutils: 'ldns', 'iputils-ping': 'iputils' },
  },
  { command: 'apk', install: 'sudo apk add', names: { netperf: null, tayga: null, ldnsutils: 'drill' } },
]

/**
 * @param {readonly Tool[]} lacking
 * @param {boolean} debian
 * @param {NodeJS.ProcessEnv} env
 */
function byHand(lacking, debian, env) {
  const names = lacking.map(({ package: name }) =>
    name === 'iproute2' ? `iproute2 ${oldestIproute2.join('.')}` : name,
  )
  const message = `This machine lacks ${names.join(', ')} (or the version is too old).`
  if (debian) {
    const sudo = process.getuid?.() === 0 ? [] : ['sudo']
    const more = [...testTools, ...countedTools].filter((tool) => lacking.includes(tool)).map((tool) => tool.package)
    const command = [...sudo, process.execPath, inRoot('scripts', 'run.mjs'), 'tools', ...more].join(' ')
    return new FrameError(message, `Install what is missing with:\n\n  ${command}\n`)
  }
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
  return new FrameError(message, lines.join('\n'))
}

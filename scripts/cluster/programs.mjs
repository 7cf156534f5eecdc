/** The programs that make a cluster, and Docker's kernel: asked, compared, and named where a version is too old. */
import { capture } from '../base/child.mjs'
import { FrameError, say } from '../base/say.mjs'
import { find } from '../setup/system-tools.mjs'

/**
 * @typedef {readonly [number, number]} Version
 *
 * @typedef {object} Program
 * @property {string} name
 * @property {readonly string[]} ask prints its version on stdout
 * @property {Version} oldest
 * @property {string} install where people get it
 */

/** @type {readonly Program[]} */
const programs = [
  {
    name: 'docker',
    ask: ['version', '--format', '{{.Client.Version}}'],
    // The first whose `docker build` is BuildKit.
    oldest: [23, 0],
    install: 'https://docs.docker.com/engine/install/',
  },
  {
    name: 'kind',
    ask: ['version'],
    // The first whose nodes run containerd 2 and a Kubernetes that Cilium 1.18 is tested with.
    oldest: [0, 27],
    install: 'https://kind.sigs.k8s.io/docs/user/quick-start/#installation',
  },
  {
    name: 'helm',
    ask: ['version', '--template', '{{.Version}}'],
    oldest: [3, 12],
    install: 'https://helm.sh/docs/intro/install/',
  },
  {
    name: 'kubectl',
    ask: ['version', '--client', '--output', 'json'],
    // A client may be one minor version away from the server, and kind's are 1.32 and newer.
    oldest: [1, 31],
    install: 'https://kubernetes.io/docs/tasks/tools/',
  },
]

/** The oldest kernels with BIG TCP. The nodes share the kernel. */
const kernelForIpv6 = /** @type {const} */ ([5, 19])
const kernelForIpv4 = /** @type {const} */ ([6, 3])

/**
 * The first version in a text: `v0.30.0`, `"gitVersion": "v1.34.1"`, `6.8.0-45-generic`.
 *
 * @param {string} text
 * @returns {Version | null}
 */
export function versionIn(text) {
  const found = /(?:^|[^\d.])v?(\d+)\.(\d+)/.exec(text)
  return found === null ? null : [Number(found[1]), Number(found[2])]
}

/** @param {Version} seen @param {Version} oldest */
function isOld([major, minor], oldest) {
  return major < oldest[0] || (major === oldest[0] && minor < oldest[1])
}

/** Asks all, so that a person installs once and not four times. @throws FrameError that names the missing programs */
export async function checkPrograms() {
  const lacking = []
  for (const { name, ask, oldest, install } of programs) {
    const wanted = `${name} ${oldest.join('.')} or newer: ${install}`
    if (find(name, process.env) === null) {
      lacking.push(`  ${wanted}`)
      continue
    }
    const version = versionIn((await capture(name, ask)) ?? '')
    // Docker answers with an error while its daemon is away: checkDaemon reports that.
    if (version === null && name === 'docker') continue
    if (version === null || isOld(version, oldest)) {
      lacking.push(`  ${wanted} (this one is ${version === null ? 'of unknown version' : version.join('.')})`)
    } else say(`ok      ${name} ${version.join('.')}`)
  }
  if (lacking.length > 0) {
    throw new FrameError(
      'Programs for the cluster are missing or too old on this machine.',
      `Install:\n\n${lacking.join('\n')}\n`,
    )
  }
}

/** The kernel is asked of Docker: on a Mac it is its virtual machine's. @throws FrameError where no cluster could run */
export async function checkDaemon() {
  const kernel = await capture('docker', ['version', '--format', '{{.Server.KernelVersion}}'])
  const version = versionIn(kernel ?? '')
  if (version === null) {
    throw new FrameError(
      "Docker's daemon does not answer.",
      'Start it, and check that you can use it: `docker version` must show a server.',
    )
  }
  if (isOld(version, kernelForIpv6)) {
    throw new FrameError(
      `Docker runs on Linux ${kernel?.trim()}, and BIG TCP needs ${kernelForIpv6.join('.')} for IPv6 and ${kernelForIpv4.join('.')} for IPv4.`,
      'Use a machine (or a Docker Desktop) with a newer kernel.',
    )
  }
  const which = isOld(version, kernelForIpv4) ? `: enough for the IPv6 lab, IPv4 needs ${kernelForIpv4.join('.')}` : ''
  say(`ok      Linux ${kernel?.trim()}${which}`)
}

/** The lock of the tools' packages: a line each, `ARCHITECTURE SETS NAME VERSION SIZE SHA256 PATH`. Pure. */

/**
 * @typedef {'core' | 'families' | 'ipvs' | 'counted' | 'kernel' | 'python' | 'tests' | 'ssh'} SetName packages that come together
 *
 * @typedef {object} Package
 * @property {string} arch as Debian names it; of the machine, also where the package fits all machines
 * @property {readonly SetName[]} sets
 * @property {string} name
 * @property {string} version
 * @property {number} size in bytes
 * @property {string} sha256
 * @property {string} path below the mirror's address
 *
 * @typedef {Readonly<Record<string, string>>} Stanza the fields of a package in the index
 * @typedef {ReadonlyMap<string, Stanza>} Index by the packages' names
 */

/** The release that the packages are of. Newer than some machines: so each program runs with its own libraries. */
export const RELEASE = 'trixie'

/** Debian's names of the processors. @type {Readonly<Record<string, string>>} */
export const architectures = { x64: 'amd64', arm64: 'arm64' }

/** What is asked for, by set. All sets need the first, which has the C library. @type {Readonly<Record<SetName, readonly string[]>>} */
export const asked = {
  // iperf3 loads libgcc by itself.
  core: 'bash bubblewrap iperf3 iproute2 iptables libgcc-s1 netperf nftables patchelf procps tcpdump util-linux'.split(
    ' ',
  ),
  families: ['curl', 'iputils-ping', 'ldnsutils', 'tayga', 'unbound'],
  ipvs: ['ipset', 'ipvsadm'],
  counted: ['kmod', 'qemu-system-x86', 'wireguard-tools', 'xz-utils'],
  kernel: ['linux-image-cloud-amd64'],
  python: ['python3', 'python3-pip-whl'],
  tests: ['chromium', 'firefox-esr', 'fonts-liberation'],
  ssh: ['dropbear-bin', 'openssh-client'],
}

/** The counted machine runs on one kind of processor. */
const amd64Alone = new Set(['counted', 'kernel'])

/**
 * Besides libraries: parts of the packages above. Everything else that they depend on serves an installed system.
 *
 * @type {Partial<Record<SetName, RegExp>>}
 */
const parts = {
  counted: /^(qemu-system-(common|data)|seabios|ipxe-qemu)$/,
  kernel: /^linux-image-/,
  python: /^(lib)?python3/,
  tests: /^chromium-common$/,
}

/** @param {string} text @returns {Package[]} */
export function parseLock(text) {
  return text
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => {
      const [arch = '', sets = '', name = '', version = '', size = '', sha256 = '', path = ''] = line.split(' ')
      return { arch, sets: /** @type {SetName[]} */ (sets.split(',')), name, version, size: Number(size), sha256, path }
    })
}

/** @param {readonly Package[]} packages */
export function formatLock(packages) {
  const lines = packages.map(({ arch, sets, name, version, size, sha256, path }) =>
    [arch, sets.join(','), name, version, size, sha256, path].join(' '),
  )
  return `${['# Written by `npm run tools -- lock`.', ...lines].join('\n')}\n`
}

/** The fields of the index that are read. */
export const fields = ['Package', 'Version', 'Depends', 'Pre-Depends', 'Section', 'Size', 'SHA256', 'Filename']

/** @param {string} text as `apt-cache dumpavail` prints it @returns {Index} */
export function parseIndex(text) {
  const stanzas = text.split(/\n\s*\n/).map((stanza) => {
    const named = [...stanza.matchAll(/^([\w-]+): (.*)$/gm)].map(([, name = '', value = '']) => [name, value])
    return /** @type {Stanza} */ (Object.fromEntries(named))
  })
  return new Map(stanzas.map((stanza) => [stanza['Package'] ?? '', stanza]))
}

/** @param {Stanza} stanza @returns {string[]} the names that it depends on; of alternatives the first */
export function dependencies({ 'Pre-Depends': before = '', Depends: depends = '' }) {
  return [...before.split(','), ...depends.split(',')].flatMap((text) => /^\s*([^\s:(|]+)/.exec(text)?.[1] ?? [])
}

/** @param {Stanza} stanza @param {string} arch @param {readonly SetName[]} sets @returns {Package} */
export function packageOf(stanza, arch, sets) {
  const {
    Package: name = '',
    Version: version = '',
    Size: size = '',
    SHA256: sha256 = '',
    Filename: path = '',
  } = stanza
  return { arch, sets, name, version, size: Number(size), sha256, path }
}

/**
 * Finds the packages of a processor: those asked for, their parts and libraries.
 *
 * @param {string} arch
 * @param {Index} index
 * @returns {Package[]}
 */
export function resolve(arch, index) {
  /** @type {Map<string, SetName[]>} */
  const setsOf = new Map()
  /** @param {string} name @param {SetName} set */
  const add = (name, set) => {
    const stanza = index.get(name)
    const sets = setsOf.get(name) ?? []
    const fits = asked[set].includes(name) || stanza?.['Section'] === 'libs' || parts[set]?.test(name) === true
    if (stanza === undefined || !fits || sets.includes('core') || sets.includes(set)) return
    setsOf.set(name, [...sets, set])
    for (const needed of dependencies(stanza)) add(needed, set)
  }
  for (const set of /** @type {SetName[]} */ (Object.keys(asked))) {
    if (arch === 'amd64' || !amd64Alone.has(set)) for (const name of asked[set]) add(name, set)
  }
  return [...setsOf].map(([name, sets]) => packageOf(index.get(name) ?? {}, arch, sets))
}

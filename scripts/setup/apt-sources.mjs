/**
 * apt's sources: where this machine gets its own system from, so that a lab's packages
 * come from the same mirror under the same key. Pure.
 */

/**
 * @typedef {object} Source
 * @property {string} uri
 * @property {string} suite
 * @property {readonly string[]} components
 * @property {readonly string[]} options deb822 lines such as `Signed-By: ...`, to be copied as they are
 */

const copied = new Set(['signed-by', 'trusted', 'architectures', 'check-valid-until'])

/** The one-line options' names in deb822. @type {Readonly<Record<string, string>>} */
const deb822Name = { 'signed-by': 'Signed-By', trusted: 'Trusted', arch: 'Architectures' }

/**
 * @param {string} text a `.sources` file
 * @returns {Source[]}
 */
export function parseDeb822(text) {
  return text.split(/\n\s*\n/).flatMap((stanza) => {
    // A field's value goes on over the indented lines below it.
    const fields = stanza
      .split('\n')
      .filter((line) => !line.startsWith('#'))
      .join('\n')
      .split(/\n(?=\S)/)
      .map((field) => ({ name: field.split(':', 1)[0]?.trim().toLowerCase() ?? '', line: field.trimEnd() }))
    /** @param {string} name */
    const words = (name) =>
      fields
        .find((field) => field.name === name)
        ?.line.replace(/^[^:]*:/, '')
        .split(/\s+/)
        .filter((word) => word !== '') ?? []
    if (!words('types').includes('deb') || words('enabled')[0] === 'no') return []
    const options = fields.filter((field) => copied.has(field.name)).map((field) => field.line)
    return words('uris').flatMap((uri) =>
      words('suites').map((suite) => ({ uri, suite, components: words('components'), options })),
    )
  })
}

/**
 * @param {string} text a `.list` file
 * @returns {Source[]}
 */
export function parseOneLine(text) {
  return text.split('\n').flatMap((line) => {
    const found = /^\s*deb\s+(?:\[([^\]]*)\]\s+)?(\S+)\s+(\S+)\s+([^#]*)/.exec(line)
    if (found === null) return []
    const [, options = '', uri = '', suite = '', components = ''] = found
    return [
      {
        uri,
        suite,
        components: components.split(/\s+/).filter((word) => word !== ''),
        options: options
          .split(/\s+/)
          .map((option) => option.split('='))
          .flatMap(([name = '', value = '']) => {
            const known = deb822Name[name]
            return known === undefined ? [] : [`${known}: ${value.replaceAll(',', ' ')}`]
          }),
      },
    ]
  })
}

/**
 * A sources file with the suites and components in which the packages are that the machine's own lack.
 *
 * @param {readonly Source[]} sources the machine's
 * @param {{id: string, codename: string}} system
 * @param {readonly string[]} packages
 * @returns {string | null} null where nothing can be added: the system's own mirror is not among the
 *   sources, or the suites where the packages would be are
 */
export function moreSources(sources, { id, codename }, packages) {
  const own = sources.find(({ suite, components }) => suite === codename && components.includes('main'))
  if (own === undefined) return null
  const wanted = []
  if (packages.includes('netperf')) {
    wanted.push({ suite: codename, component: id === 'ubuntu' ? 'multiverse' : 'non-free' })
  }
  if (packages.includes('iproute2')) wanted.push({ suite: `${codename}-backports`, component: 'main' })
  const stanzas = wanted
    .filter(
      ({ suite, component }) => !sources.some((have) => have.suite === suite && have.components.includes(component)),
    )
    .map(({ suite, component }) =>
      ['Types: deb', `URIs: ${own.uri}`, `Suites: ${suite}`, `Components: ${component}`, ...own.options].join('\n'),
    )
  if (stanzas.length === 0) return null
  return `# Written by Expresslane for ${packages.join(' and ')}.\n${stanzas.join('\n\n')}\n`
}

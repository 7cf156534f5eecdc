/**
 * apt's sources: where this machine gets its own system from, so that the tools come from the same mirror under the
 * same key. Pure.
 */

/**
 * @typedef {object} Source
 * @property {string} uri
 * @property {string} suite
 * @property {readonly string[]} components
 * @property {readonly string[]} options deb822 lines such as `Signed-By: ...`, to be copied as they are
 */

const copied = new Set(['signed-by', 'trusted', 'check-valid-until'])

/** The one-line options' names in deb822. @type {Readonly<Record<string, string>>} */
const deb822Name = { 'signed-by': 'Signed-By', trusted: 'Trusted' }

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

/** The suites of a Debian system's own sources that have no code name. */
const moving = ['stable', 'oldstable', 'testing', 'unstable', 'sid']

/**
 * A sources file for suites of another release, from the same mirror and under the same key as the machine's own.
 *
 * @param {readonly Source[]} sources the machine's
 * @param {string} codename of the machine's own release
 * @param {readonly string[]} suites
 * @returns {{uri: string, text: string} | null} null where the machine's own mirror is not among the sources
 */
export function sourcesOf(sources, codename, suites) {
  const own = sources.find(
    ({ uri, suite, components }) =>
      !uri.startsWith('cdrom:') && components.includes('main') && [codename, ...moving].includes(suite),
  )
  if (own === undefined) return null
  const lines = ['Types: deb', `URIs: ${own.uri}`, `Suites: ${suites.join(' ')}`, 'Components: main', ...own.options]
  return { uri: own.uri.replace(/\/*$/, '/'), text: `${lines.join('\n')}\n` }
}

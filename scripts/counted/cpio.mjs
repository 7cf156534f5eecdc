/** Archives in cpio's "newc" format, which the kernel unpacks into its first file system. Pure. */

/**
 * @typedef {object} Entry
 * @property {string} path absolute
 * @property {'folder' | 'file' | 'link'} kind
 * @property {number} mode permissions
 * @property {Uint8Array} content a file's bytes; a link's target
 */

const kinds = { folder: 0o04_0000, file: 0o10_0000, link: 0o12_0000 }
const HEADER_BYTES = 110
const END = 'TRAILER!!!'

/** Up to a multiple of four bytes. @param {number} length */
const padding = (length) => Buffer.alloc((4 - (length % 4)) % 4)

/** @param {number} number */
const hex = (number) => number.toString(16).toUpperCase().padStart(8, '0')

/**
 * @param {{name: string, mode: number, inode: number, links: number, content: Uint8Array}} record
 * @returns {Uint8Array[]}
 */
function record({ name, mode, inode, links, content }) {
  const named = Buffer.from(`${name}\0`, 'utf8')
  const [user, group, changed, device, checksum] = [0, 0, 0, 0, 0]
  const sizes = [content.length, device, device, device, device, named.length, checksum]
  const header = Buffer.from(
    `070701${[inode, mode, user, group, links, changed, ...sizes].map(hex).join('')}`,
    'latin1',
  )
  return [header, named, padding(HEADER_BYTES + named.length), content, padding(content.length)]
}

/** @param {string} path @returns {string[]} the folders above it, the outermost first */
function foldersAbove(path) {
  const parts = path.split('/').slice(1, -1)
  return parts.map((_, index) => `/${parts.slice(0, index + 1).join('/')}`)
}

/**
 * The archive of these entries, all of root's and without times, so the same entries give the same bytes. Folders that are
 * missing are added.
 *
 * @param {readonly Entry[]} entries
 * @returns {Buffer}
 */
export function cpio(entries) {
  /** @type {Map<string, Entry>} */
  const all = new Map()
  for (const entry of entries) {
    for (const path of foldersAbove(entry.path)) {
      if (!all.has(path)) all.set(path, { path, kind: 'folder', mode: 0o755, content: Buffer.alloc(0) })
    }
    all.set(entry.path, entry)
  }
  const records = [...all.values()].flatMap(({ path, kind, mode, content }, index) =>
    record({
      name: path.slice(1),
      mode: kinds[kind] | mode,
      inode: index + 1,
      links: kind === 'folder' ? 2 : 1,
      content,
    }),
  )
  return Buffer.concat([...records, ...record({ name: END, mode: 0, inode: 0, links: 1, content: Buffer.alloc(0) })])
}

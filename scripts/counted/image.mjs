/** Reads a kernel's name and its image. Pure. */
import { zstdDecompressSync } from 'node:zlib'

/** The first kernel of a Debian release with BIG TCP, which it has over IPv6 alone. */
const OLDEST = /** @type {const} */ ([6, 1])
/** The first release whose netkit has all that the labs use. */
const WITH_NETKIT = /** @type {const} */ ([6, 8])

/** @param {string} release */
const numbersOf = (release) => (/^[\d.]+/.exec(release)?.[0] ?? '').split('.').map(Number)

/** Orders releases such as `6.12.117+deb12-cloud-amd64` by their numbers, the newest first. @param {string} a @param {string} b */
export function newestFirst(a, b) {
  const [left, right] = [numbersOf(a), numbersOf(b)]
  for (let index = 0; index < Math.max(left.length, right.length); index++) {
    const difference = (right[index] ?? 0) - (left[index] ?? 0)
    if (difference !== 0) return difference
  }
  return b < a ? -1 : Number(b > a)
}

/** @param {string} release @param {readonly [number, number]} oldest */
function isFrom(release, oldest) {
  const [major = 0, minor = 0] = numbersOf(release)
  return major > oldest[0] || (major === oldest[0] && minor >= oldest[1])
}

/** Whether the counted machine can use a release. @param {string} release */
export const isNewEnough = (release) => isFrom(release, OLDEST)

/** Whether all labs can use a release. @param {string} release */
export const hasNetkit = (release) => isFrom(release, WITH_NETKIT)

const ZSTD = 0xfd2f_b528
const LZ4_LEGACY = 0x184c_2102
/** Both of a token's lengths go on in further bytes from this value on. */
const LONG = 15

/**
 * Unpacks a block of LZ4 (doc/lz4_Block_format.md of the reference implementation).
 *
 * @param {Buffer} block @param {Buffer} to @param {number} start where in `to` it begins
 * @returns {number} where it ends
 * @throws RangeError if it is damaged
 */
function unpackBlock(block, to, start) {
  let [from, at] = [0, start]
  /** @param {number} first */
  const length = (first) => {
    let [sum, more] = [first, first === LONG ? 255 : 0]
    for (; more === 255; sum += more) more = block.readUInt8(from++)
    return sum
  }
  while (from < block.length) {
    const token = block.readUInt8(from++)
    const literals = length(token >> 4)
    if (block.copy(to, at, from, from + literals) < literals) throw new RangeError('This LZ4 block is damaged.')
    from += literals
    at += literals
    if (from === block.length) break
    const offset = block.readUInt16LE(from)
    from += 2
    // A match can overlap its own copy, so it goes byte by byte.
    for (let left = length(token & LONG) + 4; left > 0; left--, at++) to[at] = to[at - offset] ?? 0
  }
  return at
}

/** Blocks after a magic number, each with its length before it. @param {Buffer} packed @param {number} size unpacked */
function unpackLz4(packed, size) {
  const to = Buffer.alloc(size)
  let at = 0
  for (let from = 4; from < packed.length;) {
    const length = packed.readUInt32LE(from)
    at = unpackBlock(packed.subarray(from + 4, from + 4 + length), to, at)
    from += 4 + length
  }
  return to.subarray(0, at)
}

/**
 * The kernel inside an x86 boot image (Documentation/arch/x86/boot.rst). Debian packs it with zstd, in Debian 12 with LZ4.
 *
 * @param {Buffer} image
 * @throws if it is no such image, or packed in another way
 */
export function unpackedKernel(image) {
  if (image.length < 0x250 || image.toString('latin1', 0x202, 0x206) !== 'HdrS')
    throw new Error('This is no boot image.')
  const sectors = image[0x1f1] || 4
  const from = (sectors + 1) * 512 + image.readUInt32LE(0x248)
  // The unpacked size stands behind it, in four bytes.
  const end = from + image.readUInt32LE(0x24c) - 4
  const packed = image.subarray(from, end)
  const magic = packed.length < 4 ? 0 : packed.readUInt32LE(0)
  if (magic === ZSTD) return zstdDecompressSync(packed)
  if (magic === LZ4_LEGACY) return unpackLz4(packed, image.readUInt32LE(end))
  throw new Error('This kernel is packed neither with zstd nor with LZ4.')
}

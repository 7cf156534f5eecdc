/** Reads a kernel's name and its image. Pure. */

/** The first release whose netkit has all that the labs use. */
const oldest = /** @type {const} */ ([6, 8])

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

/** Whether the counted machine can use a release. @param {string} release */
export function isNewEnough(release) {
  const [major = 0, minor = 0] = numbersOf(release)
  return major > oldest[0] || (major === oldest[0] && minor >= oldest[1])
}

/**
 * The kernel inside an x86 boot image (Documentation/arch/x86/boot.rst), as it is packed: with zstd, by Debian and Ubuntu.
 *
 * @param {Buffer} image
 * @throws if it is no such image, or packed in another way
 */
export function packedKernel(image) {
  if (image.length < 0x250 || image.toString('latin1', 0x202, 0x206) !== 'HdrS')
    throw new Error('This is no boot image.')
  const sectors = image[0x1f1] || 4
  const from = (sectors + 1) * 512 + image.readUInt32LE(0x248)
  // The unpacked size stands behind it, in four bytes.
  const packed = image.subarray(from, from + image.readUInt32LE(0x24c) - 4)
  if (packed.length < 4 || packed.readUInt32LE(0) !== 0xfd2f_b528)
    throw new Error('This kernel is not packed with zstd.')
  return packed
}

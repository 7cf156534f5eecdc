import { zstdCompressSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { cpio } from '../counted/cpio.mjs'
import { hasNetkit, isNewEnough, newestFirst, unpackedKernel } from '../counted/image.mjs'
import { absentOf } from '../counted/kernel.mjs'
import { dependenciesOf } from '../counted/modules.mjs'

/** The records of an archive, read as the kernel's documentation describes them (driver-api/early-userspace/buffer-format). */
function recordsOf(archive: Buffer): { name: string; mode: number; content: string }[] {
  const records = []
  const round = (at: number): number => Math.ceil(at / 4) * 4
  for (let at = 0; at < archive.length;) {
    expect(archive.toString('latin1', at, at + 6)).toBe('070701')
    const field = (index: number): number =>
      Number.parseInt(archive.toString('latin1', at + 6 + index * 8, at + 14 + index * 8), 16)
    const [mode, size, nameSize] = [field(1), field(6), field(11)]
    const name = archive.toString('utf8', at + 110, at + 110 + nameSize - 1)
    const from = round(at + 110 + nameSize)
    records.push({ name, mode, content: archive.toString('utf8', from, from + size) })
    at = round(from + size)
  }
  return records
}

test('an archive has its files, the folders above them once and first, and an end', () => {
  const file = (path: string, text: string) => ({
    path,
    kind: 'file' as const,
    mode: 0o755,
    content: Buffer.from(text),
  })
  const link = { path: '/sbin', kind: 'link' as const, mode: 0o777, content: Buffer.from('usr/bin') }
  const records = recordsOf(cpio([file('/usr/bin/ip', 'a'), file('/usr/bin/nft', 'five!'), link, file('/init', '')]))
  expect(records.map(({ name, mode, content }) => [name, mode.toString(8), content])).toEqual([
    ['usr', '40755', ''],
    ['usr/bin', '40755', ''],
    ['usr/bin/ip', '100755', 'a'],
    ['usr/bin/nft', '100755', 'five!'],
    ['sbin', '120777', 'usr/bin'],
    ['init', '100755', ''],
    ['TRAILER!!!', '0', ''],
  ])
})

test('the newest release is first, by its numbers', () => {
  const releases = [
    '6.12.9+deb12-cloud-amd64',
    '6.1.0-47-cloud-amd64',
    '6.12.117+deb12-cloud-amd64',
    '6.16.3-cloud-amd64',
  ]
  expect(releases.toSorted(newestFirst).map((release) => release.split(/[+-]/)[0])).toEqual([
    '6.16.3',
    '6.12.117',
    '6.12.9',
    '6.1.0',
  ])
  expect(releases.map(hasNetkit)).toEqual([true, false, true, true])
  expect(['6.7.12-cloud-amd64', '6.0.1-cloud-amd64'].map(isNewEnough)).toEqual([true, false])
})

test('a kernel is offered only with all of its packages', () => {
  const image = (release: string, depends: string) => ({ Package: `linux-image-${release}`, Depends: depends })
  const split = '7.3.4+deb14-cloud-amd64'
  const gone = '7.1.2+deb14-cloud-amd64'
  const whole = '6.12.117+deb13-cloud-amd64'
  const parts = (release: string) => `linux-binary-${release} (= 1), linux-modules-${release} (= 1), kmod`
  const stanzas = [
    image(split, parts(split)),
    image(gone, parts(gone)),
    image(whole, 'kmod, linux-base (>= 4.3~)'),
    { Package: `linux-binary-${split}` },
    { Package: `linux-modules-${split}` },
    { Package: `linux-binary-${gone}` },
  ]
  const index = new Map(stanzas.map((one) => [one.Package, one]))
  expect(absentOf(split, index)).toEqual([])
  expect(absentOf(whole, index)).toEqual([])
  expect(absentOf(gone, index)).toEqual([`linux-modules-${gone}`])
  expect(absentOf('9.9.9-cloud-amd64', index)).toEqual(['linux-image-9.9.9-cloud-amd64'])
})

/** A boot image with a packed kernel, and the kernel's size behind it. */
function bootImage(packed: Buffer, size: number): Buffer {
  const image = Buffer.alloc(4 * 512 + 0x100)
  image[0x1f1] = 3
  image.write('HdrS', 0x202, 'latin1')
  image.writeUInt32LE(0x100, 0x248)
  image.writeUInt32LE(packed.length + 4, 0x24c)
  const length = Buffer.alloc(4)
  length.writeUInt32LE(size)
  return Buffer.concat([image, packed, length])
}

test('the kernel in a boot image is unpacked, and another packing or another file is refused', () => {
  const kernel = Buffer.from('a kernel, a kernel')
  expect(unpackedKernel(bootImage(zstdCompressSync(kernel), kernel.length))).toEqual(kernel)
  expect(() => unpackedKernel(bootImage(Buffer.from('PK..'), 4))).toThrow('neither with zstd nor with LZ4')
  expect(() => unpackedKernel(Buffer.from('no'))).toThrow('no boot image')
})

test('LZ4 is unpacked: long lengths, matches that overlap their copy, and several blocks', () => {
  // `abcd`, then 300 bytes that repeat it; and a block of 20 literals.
  const blocks = [
    [0x4f, ...Buffer.from('abcd'), 4, 0, 255, 26, 0x10, ...Buffer.from('z')],
    [0xf0, 5, ...Buffer.from('0123456789'.repeat(2))],
  ].map((bytes) => {
    const length = Buffer.alloc(4)
    length.writeUInt32LE(bytes.length)
    return Buffer.concat([length, Buffer.from(bytes)])
  })
  const packed = Buffer.concat([Buffer.from([0x02, 0x21, 0x4c, 0x18]), ...blocks])
  const expected = `${'abcd'.repeat(76)}z${'0123456789'.repeat(2)}`
  expect(unpackedKernel(bootImage(packed, expected.length)).toString()).toBe(expected)
  expect(() => unpackedKernel(bootImage(packed.subarray(0, -8), expected.length))).toThrow(RangeError)
})

test('a module names what it depends on', () => {
  const module = (text: string): Buffer => Buffer.from(`\0license=GPL\0${text}\0retpoline=Y\0`, 'latin1')
  expect(dependenciesOf(module('depends=nf_conntrack,libcrc32c'))).toEqual(['nf_conntrack', 'libcrc32c'])
  expect(dependenciesOf(module('depends='))).toEqual([])
  expect(dependenciesOf(Buffer.from('nothing'))).toEqual([])
})

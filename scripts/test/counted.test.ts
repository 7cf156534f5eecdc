import { expect, test } from 'vitest'
import { cpio } from '../counted/cpio.mjs'
import { isNewEnough, newestFirst, packedKernel } from '../counted/image.mjs'
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
  expect(releases.map(isNewEnough)).toEqual([true, false, true, true])
  expect(isNewEnough('6.7.12-cloud-amd64')).toBe(false)
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

test('the kernel is found in a boot image, and another packing or another file is refused', () => {
  const image = Buffer.alloc(8192)
  image[0x1f1] = 3
  image.write('HdrS', 0x202, 'latin1')
  image.writeUInt32LE(0x100, 0x248)
  image.writeUInt32LE(12, 0x24c)
  image.writeUInt32LE(0xfd2f_b528, 4 * 512 + 0x100)
  image.write('abcd', 4 * 512 + 0x104, 'latin1')
  expect(packedKernel(image).subarray(4).toString('latin1')).toBe('abcd')
  image[4 * 512 + 0x100] = 1
  expect(() => packedKernel(image)).toThrow('not packed with zstd')
  expect(() => packedKernel(Buffer.from('no'))).toThrow('no boot image')
})

test('a module names what it depends on', () => {
  const module = (text: string): Buffer => Buffer.from(`\0license=GPL\0${text}\0retpoline=Y\0`, 'latin1')
  expect(dependenciesOf(module('depends=nf_conntrack,libcrc32c'))).toEqual(['nf_conntrack', 'libcrc32c'])
  expect(dependenciesOf(module('depends='))).toEqual([])
  expect(dependenciesOf(Buffer.from('nothing'))).toEqual([])
})

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { typedLine } from '../../src/testbeds/typed.ts'
import { isAtLeast, parseVersion, versionArgv, versionedProgram, versionedTools } from '../../src/tools/versions.ts'
import { readFixture } from './fixture.ts'

test.each([
  ['netperf', 'versions/netperf'],
  ['iproute2', 'versions/iproute2'],
  ['iproute2', 'versions/iproute2-6.1'],
  ['iperf3', 'versions/iperf3'],
  ['tcpdump', 'versions/tcpdump'],
  ['nftables', 'versions/nftables'],
  ['iptables', 'versions/iptables'],
  ['curl', 'versions/curl'],
  ['drill', 'versions/drill'],
  ['ping', 'versions/ping'],
  ['unbound', 'versions/unbound'],
  ['tayga', 'versions/tayga'],
] as const)('%s says its version in %s', (tool, name) => {
  const { typed, lines } = readFixture(name)
  expect(typed).toBe(typedLine(versionArgv(tool)))
  const version = parseVersion(tool, lines.join('\n'))
  // iputils has a date.
  expect(version).toMatch(tool === 'ping' ? /^\d{8}$/ : /^\d+\.\d+/)
  expect(lines[0]).toContain(version)
})

test('old snapshots of iproute2 have a version that is no number', () => {
  expect(parseVersion('iproute2', 'ip utility, iproute2-ss190107')).toBe('ss190107')
  expect(isAtLeast('ss190107', 6, 3)).toBeNull()
})

test('each tool is looked for by its own name', () => {
  expect(versionedTools.filter((tool) => ['sh', 'bash'].includes(versionedProgram(tool)))).toEqual([])
  expect(versionedProgram('iproute2')).toBe('ip')
  expect(versionedProgram('tayga')).toBe('tayga')
})

test('other text has none', () => {
  for (const tool of versionedTools) expect(parseVersion(tool, 'command not found')).toBeNull()
})

test('versions compare by number and not by letter', () => {
  expect(isAtLeast('6.15.0', 6, 3)).toBe(true)
  expect(isAtLeast('6.3.0', 6, 3)).toBe(true)
  expect(isAtLeast('6.1.0', 6, 3)).toBe(false)
  expect(isAtLeast('5.19.0-46-generic', 6, 3)).toBe(false)
  expect(isAtLeast('10.0', 6, 3)).toBe(true)
  fc.assert(
    fc.property(fc.nat({ max: 99 }), fc.nat({ max: 99 }), fc.nat({ max: 99 }), fc.nat({ max: 99 }), (a, b, c, d) => {
      expect(isAtLeast(`${a}.${b}.1`, c, d)).toBe(a * 100 + b >= c * 100 + d)
    }),
  )
})

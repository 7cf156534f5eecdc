import { expect, test } from 'vitest'
import { iproute2IsNew } from '../setup/system-tools.mjs'

test.each([
  ['ip utility, iproute2-6.15.0, libbpf 1.1.2', true],
  ['ip utility, iproute2-6.3.0', true],
  ['ip utility, iproute2-6.1.0, libbpf 1.1.0', false],
  ['ip utility, iproute2-5.18.0', false],
  ['ip utility, iproute2-ss200127', false],
  ['6.15.0-1~bpo12+1', true],
  ['6.1.0-3', false],
  ['', false],
])('%s shows the IPv4 sizes: %s', (version, is) => {
  expect(iproute2IsNew(version)).toBe(is)
})

import { expect, test } from 'vitest'
import { parseRoute } from '../../src/tools/ip-route.ts'

// Output of iproute2 6.15 on a node.
test.each([
  [
    '[{"dst":"203.0.113.10","gateway":"172.30.0.10","dev":"eth0","flags":[]}]',
    { device: 'eth0', gateway: '172.30.0.10' },
  ],
  [
    '[{"dst":"64:ff9b::ac1e:b","from":"::","gateway":"fd00:172:30::10","dev":"eth0","metric":1024}]',
    { device: 'eth0', gateway: 'fd00:172:30::10' },
  ],
  [
    '[{"dst":"10.0.0.9","via":{"family":"inet6","host":"fe80::1"},"dev":"eth1"}]',
    { device: 'eth1', gateway: 'fe80::1' },
  ],
  ['[{"dst":"172.30.0.11","dev":"eth0","prefsrc":"172.30.0.12"}]', { device: 'eth0', gateway: null }],
])('%s', (text, route) => {
  expect(parseRoute(text)).toEqual(route)
})

test.each(['', '[]', 'RTNETLINK answers: No route to host'])('%j is no route', (text) => {
  expect(() => parseRoute(text)).toThrow('The output of `ip route get` could not be read.')
})

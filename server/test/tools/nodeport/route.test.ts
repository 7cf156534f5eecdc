/** The helper's output about pods' devices, as printed on Linux 6.18. */
import { expect, test } from 'vitest'
import { nodeportProgram } from '../../../src/tools/nodeport/argv.ts'
import { isRouteReady, parsePath, parsePing, pathArgv, pingArgv, routeArgv } from '../../../src/tools/nodeport/route.ts'

const ends = {
  device: '{"name":"lxc1","kind":"veth","programs":[{"programId":1153607,"linkId":12721}]}',
  wire: '{"name":"eth0","kind":"veth","programs":[{"programId":1153610,"linkId":12720}]}',
}
const counters =
  '{"type":"counters","of":"route","atNs":79279346636802,"outRuns":4,"outRedirected":4,"inRuns":4,"inRedirected":4}'

function pathLine(device: string, wire: string, route: string): string {
  return `{"type":"path","device":${device},"wire":${wire},"forwarding":{"ipv4":false,"ipv6":false},"forwarded":{"ipv4":4,"ipv6":4},"tracked":0,"route":${route}}`
}

test('the path of a node with programs', () => {
  expect(parsePath(pathLine(ends.device, ends.wire, counters))).toMatchObject({
    device: { kind: 'veth', programs: [{ programId: 1_153_607, linkId: 12_721 }] },
    forwarding: { ipv4: false, ipv6: false },
    forwarded: { ipv4: 4, ipv6: 4 },
    tracked: 0,
    route: { outRedirected: 4, inRedirected: 4 },
  })
})

test('the path of a node whose wire is in the pod, and of one where nobody may ask for programs', () => {
  expect(parsePath(pathLine('null', 'null', 'null'))).toMatchObject({ device: null, wire: null, route: null })
  const unasked = '{"name":"lxc1","kind":"netkit","programs":null}'
  expect(parsePath(pathLine(unasked, ends.wire, 'null')).device).toEqual({
    name: 'lxc1',
    kind: 'netkit',
    programs: null,
  })
})

test('pings', () => {
  expect(parsePing('{"type":"ping","address":"10.30.2.2","sent":2,"received":0}')).toMatchObject({
    sent: 2,
    received: 0,
  })
  expect(pingArgv('10.30.2.2', 3, 200).slice(1)).toEqual(
    'ping --address 10.30.2.2 --count 3 --timeout-ms 200'.split(' '),
  )
})

test('other lines are refused', () => {
  expect(() => parsePath('{"type":"path"}')).toThrow('does not know')
  expect(() => parsePing('')).toThrow('does not know')
})

test('host routing names both devices and the pod’s addresses, and is ready once it is attached', () => {
  expect(routeArgv({ device: 'lxc1', wire: 'eth0', pods: ['10.30.1.2', 'fd00:30:1::2'] })).toEqual([
    nodeportProgram,
    ...'route --device lxc1 --wire eth0 --pod 10.30.1.2 --pod fd00:30:1::2'.split(' '),
  ])
  expect(pathArgv('lxc1', 'eth0').slice(1)).toEqual('path --device lxc1 --wire eth0'.split(' '))
  const ready =
    '{"type":"ready","of":"route","pid":32090,"device":{"name":"lxc1","kind":"veth","programId":1153607},"wire":{"name":"eth0","kind":"veth","programId":1153610}}'
  expect(isRouteReady(ready)).toBe(true)
  expect(isRouteReady(counters)).toBe(false)
})

import { describe, expect, test } from 'vitest'
import { parseOffloads } from '../../src/tools/ethtool.ts'
import { parseLinks, parseNumberedLinks } from '../../src/tools/ip-link.ts'
import { nodeportArgv, transactionArgv } from '../../src/tools/netperf/nodeport.ts'

describe('netperf through a NodePort', () => {
  const target = { address: '172.30.0.12', controlPort: 31_865, dataPort: 31_866 }

  test('calls one port for its control connection and one for its data', () => {
    expect(transactionArgv('UDP_RR', target).join(' ')).toBe(
      'netperf -H 172.30.0.12 -p 31865 -t UDP_RR -l -1 -P 0 -- -P ,31866 -r 1,1',
    )
    expect(nodeportArgv('TCP_CRR', target, 2).join(' ')).toMatch(
      /^netperf -H 172\.30\.0\.12 -p 31865 -t TCP_CRR -l 2 -P 0 -D 0\.2 -- -P ,31866 -r 1,1 -k MIN_LATENCY,.*THROUGHPUT/,
    )
  })
})

describe('ethtool -k, of a veth as ethtool 6.1 prints it', () => {
  const print = (checksum: string, segmentation: string): string =>
    ['Features for eth0:', `tx-checksumming: ${checksum}`, 'tcp-segmentation-offload: on'].join('\n') +
    `\n\ttx-tcp-segmentation: ${segmentation}\ngeneric-segmentation-offload: on\n`

  test.each([
    ['on', 'on', true, false],
    // After `ethtool -K eth0 tx off`.
    ['off', 'off [requested on]', false, false],
    // The same with an XDP program at the other end.
    ['off', 'off [fixed]', false, true],
  ])('tx-checksumming %s, tx-tcp-segmentation %s', (checksum, segmentation, txChecksum, noSegmentation) => {
    expect(parseOffloads(print(checksum, segmentation))).toEqual({ txChecksum, noSegmentation })
  })

  test('is unknown in any other output', () => {
    expect(parseOffloads('netlink error: No such device')).toBeNull()
  })
})

describe('ip link', () => {
  const attached = { mode: 1, prog: { id: 731278, name: 'cil_xdp_entry', tag: '3212038b84b47ad8', jited: 1 } }
  const veth = { ifindex: 2, link_index: 5, ifname: 'eth0', mtu: 1500, linkinfo: { info_kind: 'veth' } }
  const print = (more: object): string => JSON.stringify([{ ...veth, ...more }])

  test('names the XDP program, and whether the driver runs it', () => {
    expect(parseLinks(print({ xdp: attached }))[0]?.xdp).toEqual({ mode: 'native', program: 'cil_xdp_entry' })
    expect(parseLinks(print({ xdp: { ...attached, mode: 2 } }))[0]?.xdp?.mode).toBe('generic')
    expect(parseLinks(print({}))[0]).not.toHaveProperty('xdp')
  })

  test('names the kind of a device', () => {
    expect(parseNumberedLinks(print({}))[0]?.kind).toBe('veth')
  })
})

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compareHeaders, type HeaderChange } from '../../../src/measure/ip/header-changes.ts'
import { bytesOfHex } from '../../../src/measure/packet.ts'

const known = (hex: string): Uint8Array => bytesOfHex(hex.replaceAll(' ', '')) ?? new Uint8Array()

/** Packets before and after the translator (server/test/tools/translate/cases.json). */
const pairs = {
  'TCP to IPv6': {
    from: '450000650001000009069d280a0400020a6300029c40005000000000000000006002200096b10000020405b4416e206f6464206e756d626572206f662062797465732c20736f207468617420746865206c617374206f6e65207374616e647320616c6f6e65',
    to: '600000000051060afd64ff9b00000000000000000a040002fd4600000000000000000000000000029c400050000000000000000060022000a6cc0000020405b4416e206f6464206e756d626572206f662062797465732c20736f207468617420746865206c617374206f6e65207374616e647320616c6f6e',
  },
  'UDP to IPv4': {
    from: '6000000000411109fd460000000000000000000000000002fd64ff9b00000000000000000a0400029c40003500412e66416e206f6464206e756d626572206f662062797465732c20736f207468617420746865206c617374206f6e65207374616e647320616c6f6e65',
    to: '45000055000000000a119c2e0a6300020a0400029c40003500411e4b416e206f6464206e756d626572206f662062797465732c20736f207468617420746865206c617374206f6e65207374616e647320616c6f6e65',
  },
  'ping to IPv6': {
    from: '450000550001000009019d3d0a0400020a6300020800c7b400070003416e206f6464206e756d626572206f662062797465732c20736f207468617420746865206c617374206f6e65207374616e647320616c6f6e65',
    to: '6000000000413a0afd64ff9b00000000000000000a040002fd46000000000000000000000000000280004ae900070003416e206f6464206e756d626572206f662062797465732c20736f207468617420746865206c617374206f6e65207374616e647320616c6f6e65',
  },
  'first fragment to IPv4': {
    from: '6000000000502c09fd460000000000000000000000000002fd64ff9b00000000000000000a04000211000001abcd12340001000200b34fe0000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f202122232425262728292a2b2c2d2e2f303132333435363738393a3b3c3d3e3f',
    to: '4500005c123420000a1169f30a6300020a0400020001000200b33fc5000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f202122232425262728292a2b2c2d2e2f303132333435363738393a3b3c3d3e3f',
  },
  'first fragment to IPv6': {
    from: '4500005c1234200009116af30a0400020a6300020001000200b33fc5000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f202122232425262728292a2b2c2d2e2f303132333435363738393a3b3c3d3e3f',
    to: '6000000000502c0afd64ff9b00000000000000000a040002fd46000000000000000000000000000211000001000012340001000200b34fe0000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f202122232425262728292a2b2c2d2e2f303132333435363738393a3b3c3d3e3f',
  },
  'IPv4 options are left out': {
    from: '4700005d00010000091106210a0400020a6300029404000001000000000100020041babd416e206f6464206e756d626572206f662062797465732c20736f207468617420746865206c617374206f6e65207374616e647320616c6f6e65',
    to: '600000000041110afd64ff9b00000000000000000a040002fd460000000000000000000000000002000100020041cad8416e206f6464206e756d626572206f662062797465732c20736f207468617420746865206c617374206f6e65207374616e647320616c6f6e65',
  },
}

/** `total length 36 -> payload length 16`, with a sign for what happened. */
function line({ kind, before, after }: HeaderChange): string {
  const text = (field: HeaderChange['before']): string => (field === null ? '' : `${field.name} ${field.value}`)
  return `${kind}: ${text(before)}${kind === 'stayed' ? '' : ` -> ${text(after)}`}`.trim()
}

describe('two packets side by side', () => {
  const compared = ({ from, to }: { from: string; to: string }) => compareHeaders(known(from), known(to))?.map(line)

  it('show what a translator did', () => {
    expect(compared(pairs['TCP to IPv6'])).toEqual([
      'changed: version 4 -> version 6',
      'went: header length 20 ->',
      'stayed: type of service 0x00',
      'came:  -> flow label 0x00000',
      'changed: total length 101 -> payload length 81',
      'went: identification 0x0001 ->',
      'went: don’t fragment no ->',
      'went: more fragments no ->',
      'went: fragment offset 0 ->',
      'changed: time to live 9 -> hop limit 10',
      'stayed: protocol 6 (TCP)',
      'went: header checksum 0x9d28 ->',
      'changed: source address 10.4.0.2 -> source address fd64:ff9b::a04:2',
      'changed: destination address 10.99.0.2 -> destination address fd46::2',
      'stayed: source port 40000',
      'stayed: destination port 80',
      'changed: checksum 0x96b1 -> checksum 0xa6cc',
    ])
  })

  it('show ICMP by its own numbers', () => {
    expect(compared(pairs['ping to IPv6'])).toEqual(
      expect.arrayContaining([
        'changed: protocol 1 (ICMP) -> next header 58 (ICMPv6)',
        'changed: type 8 -> type 128',
        'stayed: code 0',
        'changed: checksum 0xc7b4 -> checksum 0x4ae9',
      ]),
    )
  })

  it('show that a fragment keeps its place', () => {
    expect(compared(pairs['first fragment to IPv6'])).toEqual(
      expect.arrayContaining([
        'stayed: identification 0x1234',
        'stayed: more fragments yes',
        'stayed: fragment offset 0',
        'stayed: protocol 17 (UDP)',
        'stayed: source port 1',
      ]),
    )
    expect(compared(pairs['first fragment to IPv4'])).toContain(
      'changed: identification 0xabcd1234 -> identification 0x1234',
    )
  })

  it('show that options went', () => {
    expect(compared(pairs['IPv4 options are left out'])).toContain('went: options 8 bytes ->')
  })

  it('say why, for all but what stayed', () => {
    const changes = Object.values(pairs).flatMap(({ from, to }) => compareHeaders(known(from), known(to)) ?? [])
    for (const { kind, why } of changes) expect(why === null).toBe(kind === 'stayed')
  })

  const heads = fc.constantFrom(...Object.values(pairs).flatMap(({ from, to }) => [known(from), known(to)]))

  it('stay the same beside themselves', () => {
    fc.assert(
      fc.property(heads, (head) => {
        expect(new Set(compareHeaders(head, head)?.map(({ kind }) => kind))).toEqual(new Set(['stayed']))
      }),
    )
  })

  it('are the same the other way round, but for what went and came', () => {
    const turned = { stayed: 'stayed', changed: 'changed', went: 'came', came: 'went' } as const
    fc.assert(
      fc.property(heads, heads, (one, other) => {
        const there = compareHeaders(one, other) ?? []
        const back = compareHeaders(other, one) ?? []
        expect(back.map(({ key, kind, before, after }) => ({ key, kind, before, after }))).toEqual(
          there.map(({ key, kind, before, after }) => ({ key, kind: turned[kind], before: after, after: before })),
        )
      }),
    )
  })

  it('need whole headers, and never fail otherwise', () => {
    const anyBytes = fc.uint8Array({ maxLength: 80 })
    fc.assert(
      fc.property(anyBytes, anyBytes, (one, other) => {
        const changes = compareHeaders(one, other)
        if (one.length < 20 || other.length < 20) expect(changes).toBeNull()
      }),
    )
    expect(compareHeaders(new Uint8Array(), new Uint8Array())).toBeNull()
  })
})

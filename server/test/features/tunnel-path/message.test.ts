/** The message on the wire, from packets that tcpdump captured there: in plain text, as ESP, and by WireGuard. */
import { bytesOfHex } from '@expresslane/shared/measure/packet'
import type { TunnelKind } from '@expresslane/shared/features/tunnel-path/settings'
import { expect, test } from 'vitest'
import { judgeMessage } from '../../../src/features/tunnel-path/message.ts'

const captured = {
  plain:
    '1680d00a46bb0e3e735bd2a908004500003543fd40003f11e0770a2001020a20020296240009002117765468' +
    '6973206d6573736167652069732061207365637265742e',
  esp:
    'a2cd31780c8dca91b7a435f408004500006c000040004032a20cac1e200bac1e200c000007010000000121c66a9386b8' +
    '8d5e3c1f450eac669ff0ee5dd08a98cada08d088bd329db21067ce4d8d331bc014ee3f50d1d81ab0a5e56cc719ac425b' +
    '0477d42578ad141d6860095c6d1b6d030d0ba9802dfc9468caad',
  wireguard:
    'e2d89758114d4ef9a7c14db508004500007c25be00004011bc5fac1e200bac1e200cca6cca6c006898cd04000000ddcc' +
    '5a4b0000000000000000237ccac7aadf380e61cff572fc66ee0dce21ef89602cb40b869ca427379d51ea8ea184de6fbc' +
    'fbd6dd6b77a4cab0a153247ebe03e37edbb5fc14688a4325be3c1195ac850e88',
}

function judged(kind: TunnelKind, packet: keyof typeof captured | null): boolean[] {
  const bytes = packet === null ? null : bytesOfHex(captured[packet])
  const frame = bytes === null ? undefined : { at: 0, length: bytes.length, bytes }
  return judgeMessage(kind, frame).observations.map(({ ok }) => ok)
}

test.each<[TunnelKind, keyof typeof captured]>([
  ['none', 'plain'],
  ['esp', 'esp'],
  ['wireguard', 'wireguard'],
])('%s is as it should be', (kind, packet) => {
  expect(judged(kind, packet)).toEqual([true, true])
})

test.each<[TunnelKind, keyof typeof captured | null, boolean[]]>([
  ['esp', 'plain', [false, false]],
  ['wireguard', 'plain', [false, false]],
  ['esp', 'wireguard', [false, true]],
  ['none', 'esp', [false, false]],
  ['none', null, [false, false]],
])('%s fails with the packet %s', (kind, packet, ok) => {
  expect(judged(kind, packet)).toEqual(ok)
})

test('its beginning is shown, without characters that a terminal would act upon', () => {
  const bytes = bytesOfHex(captured.plain) ?? new Uint8Array()
  expect(judgeMessage('none', { at: 0, length: 67, bytes }).shown).toMatchObject({
    rows: [['UDP port 9', '67', 'This message is a secret.']],
  })
})

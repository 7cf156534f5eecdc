/** Lines as agents of a real cluster wrote them, without a prerequisite of BIG TCP. */
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { messageOf, reasonIn } from '../../src/tools/cilium-log.ts'

const legacy = readFileSync(new URL('../fixtures/kubernetes/rollout/refused.txt', import.meta.url), 'utf8').split('\n')

test.each([
  [
    'one function on the way',
    String.raw`time="2026-11-26T22:01:22Z" level=fatal msg="failed to start: daemon creation failed: unable to initialize BPF masquerade support: BPF masquerade requires NodePort (--enable-node-port=\"true\")" subsys=daemon`,
    'daemon creation failed: unable to initialize BPF masquerade support: BPF masquerade requires NodePort (--enable-node-port="true")',
  ],
  [
    'the reason alone',
    'time="2026-11-26T22:12:26Z" level=fatal msg="auto-direct-node-routes cannot be used with tunneling. Packets must be routed through the tunnel device." subsys=daemon',
    'auto-direct-node-routes cannot be used with tunneling. Packets must be routed through the tunnel device',
  ],
  ['words that are no fields', 'panic: runtime error', 'panic: runtime error'],
])('the reason in a line with %s', (_, line, reason) => {
  expect(reasonIn([line])).toBe(reason)
})

test('the reason in a whole log, behind a dozen functions', () => {
  expect(reasonIn(legacy)).toBe('BIG TCP is not supported with legacy host routing')
})

test('no reason in no lines', () => {
  expect(reasonIn([])).toBeNull()
  expect(reasonIn([' '])).toBeNull()
})

test('the message of a line that is no error', () => {
  const line =
    'time="2026-11-26T22:03:20Z" level=info msg="BPF host routing requires enable-bpf-masquerade. Falling back to legacy host routing (enable-host-legacy-routing=true)." subsys=daemon'
  expect(messageOf(line)).toBe(
    'BPF host routing requires enable-bpf-masquerade. Falling back to legacy host routing (enable-host-legacy-routing=true)',
  )
})

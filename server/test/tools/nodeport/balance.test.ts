/** The balancer's lines, as printed on Linux 6.18. */
import { expect, test } from 'vitest'
import { nodeportProgram } from '../../../src/tools/nodeport/argv.ts'
import { isBalanceReady, parseBalanceCounters, rebalanceArgv, tableInput } from '../../../src/tools/nodeport/balance.ts'

test('the table goes there and back', () => {
  const line =
    '{"type":"counters","of":"balance","hook":"xdp","atNs":2295055474962,"choice":"hash","replies":"direct","backends":["10.60.0.11","10.60.0.12","10.60.0.13"],"newByBackend":[0,0,0],"counts":{"runs":5,"forwarded":0,"replies":0,"newFlows":0,"portsChanged":0,"passedOther":0,"passedProtocol":5,"passedFragment":0,"passedOptions":0,"passedExpired":0,"passedMalformed":0,"passedUnroutable":0,"passedNoPort":0},"table":"12312"}'
  expect(parseBalanceCounters(line)).toMatchObject({ hook: 'xdp', replies: 'direct', table: [1, 2, 3, 1, 2] })
  expect(tableInput([1, 2, 3, 1, 15])).toBe('"1231f"\n')
  expect(() => parseBalanceCounters('{"type":"counters","of":"pace"}')).toThrow()
})

test('the commands', () => {
  const table = {
    service: '10.96.0.1',
    backends: ['10.60.0.11', '10.60.0.12'],
    choice: 'hash',
    replies: 'direct',
  } as const
  expect(rebalanceArgv(table)).toEqual(
    `${nodeportProgram} rebalance --service 10.96.0.1 --choice hash --replies direct --table - --backend 10.60.0.11 --backend 10.60.0.12`.split(
      ' ',
    ),
  )
  expect(isBalanceReady('{"type":"ready","of":"balance","pid":13439,"hook":"xdp","programId":5728}')).toBe(true)
  expect(isBalanceReady('{"type":"error","code":"no_device"}')).toBe(false)
})

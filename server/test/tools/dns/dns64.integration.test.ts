/** unbound as an ordinary user runs it, in namespaces: what drill gets as answers. */
import { spawnSync } from 'node:child_process'
import { prefixLengths } from '@expresslane/shared/measure/ip/embedded'
import { expect, onTestFinished, test } from 'vitest'
import { drillArgv, parseDrill, type RecordType } from '../../../src/tools/dns/drill.ts'
import { isUnboundReady, unboundArgv, type Resolver } from '../../../src/tools/dns/unbound.ts'
import { nodeAddresses, openPath, type Path } from '../nodeport/path.ts'

const PORT = 5300
const lacks = ['unbound', 'drill'].filter((program) => spawnSync(program, ['-h']).error !== undefined)
const inNames = lacks.length === 0 ? '' : `, which is skipped: ${lacks.join(' and ')} not installed`

const dns64 = (prefix: string): Resolver => ({
  address: nodeAddresses.ipv6,
  port: PORT,
  prefix,
  zone: 'lab.example',
  names: [
    { name: 'ipv4only', ipv4: '10.4.0.2' },
    { name: 'ipv6only', ipv6: 'fd46::2' },
    { name: 'both', ipv4: '10.4.0.2', ipv6: 'fd46::2' },
  ],
})

/** unbound says on stderr that it is ready. */
async function open(prefix: string): Promise<Path> {
  const path = await openPath('user', onTestFinished)
  const [file = '', flag = '', script = '', ...rest] = unboundArgv(dns64(prefix))
  const running = path.start('node', [file, flag, `${script} 2>&1`, ...rest])
  let next = 0
  while (!isUnboundReady(await running.line(next))) next += 1
  return path
}

async function ask(path: Path, name: string, type: RecordType): Promise<string> {
  const { stdout, stderr } = await path.run('client', drillArgv({ server: nodeAddresses.ipv6, port: PORT, name, type }))
  expect(stderr).toEqual([])
  const { status, records } = parseDrill(stdout.join('\n'))
  return [status, ...records.map(({ data }) => data)].join(' ')
}

test.skipIf(lacks.length > 0)(`a name with an IPv4 address alone gets an IPv6 address${inNames}`, async () => {
  const path = await open('fd64:ff9b::/96')
  expect(await ask(path, 'ipv4only.lab.example', 'A')).toBe('NOERROR 10.4.0.2')
  expect(await ask(path, 'ipv4only.lab.example', 'AAAA')).toBe('NOERROR fd64:ff9b::a04:2')
  expect(await ask(path, 'ipv6only.lab.example', 'A')).toBe('NOERROR')
  expect(await ask(path, 'ipv6only.lab.example', 'AAAA')).toBe('NOERROR fd46::2')
  expect(await ask(path, 'both.lab.example', 'AAAA')).toBe('NOERROR fd46::2')
  expect(await ask(path, 'nobody.lab.example', 'AAAA')).toBe('NXDOMAIN')
  expect(await ask(path, 'www.example.org', 'AAAA')).toBe('REFUSED')
})

const embedded = {
  32: 'fd64:ff9b:a04:2::',
  40: 'fd64:ff9b:a:400:2::',
  48: 'fd64:ff9b:0:a04:0:200::',
  56: 'fd64:ff9b:0:a:4:2::',
  64: 'fd64:ff9b::a:400:200:0',
  96: 'fd64:ff9b::a04:2',
} as const

test.skipIf(lacks.length > 0).each(prefixLengths)(`the prefix can have %s bits${inNames}`, async (length) => {
  const path = await open(`fd64:ff9b::/${length}`)
  expect(await ask(path, 'ipv4only.lab.example', 'AAAA')).toBe(`NOERROR ${embedded[length]}`)
})

/** The process of the server, with signals and without readers of its output. */
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { expect, it } from 'vitest'
import { dataDir } from '../support/deps.ts'
import { start, startFakeServer, startMain } from '../support/http/process.ts'
import { ask } from '../support/http/server.ts'

it.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)('ends in order on %s', async (signal) => {
  const main = start('src/main.ts', { EXPRESSLANE_DATA: dataDir() })
  await main.firstLine
  main.child.kill(signal)
  expect(await main.ended).toMatchObject({ code: 0, err: '' })
})

it('ends although a testbed does not, and names it', async () => {
  const server = await startFakeServer(dataDir(), { FAKE_HOLDS: 'close' })
  const headers = { authorization: `Bearer ${server.token}` }
  expect((await ask(server.port, '/api/testbeds', { headers })).status).toBe(200)
  server.child.kill('SIGTERM')
  const { code, err } = await server.ended
  expect(code).toBe(1)
  expect(err).toContain('- the testbed netns\n')
})

it('goes on when nobody reads its output', async () => {
  const main = startMain({ LOG_LEVEL: 'info' }, 'test/support/fakes/printing-main.ts')
  const { port } = await main.ready
  const { stdout, stderr } = main.child
  if (stdout === null || stderr === null) throw new Error('the program has no output')
  stdout.destroy()
  await once(stdout, 'close')
  const said = once(createInterface(stderr), 'line')
  main.child.kill('SIGUSR2')
  expect(String(await said)).toContain('EPIPE')
  expect((await ask(port, '/healthz')).status).toBe(200)
  main.child.kill('SIGTERM')
  expect((await main.ended).code).toBe(0)
})

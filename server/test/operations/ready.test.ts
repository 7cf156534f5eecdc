import { chmodSync, rmSync } from 'node:fs'
import { errorBody } from '@expresslane/shared/base/errors'
import { describe, expect, it } from 'vitest'
import { createReadiness } from '../../src/operations/ready.ts'
import { dataDir, openRig } from '../support/deps.ts'
import { startServer } from '../support/http/server.ts'

describe('GET /readyz', () => {
  it('answers anybody, as probes have no login and no name for the host', async () => {
    const server = await startServer()
    const { status, text } = await server.ask('/readyz', { headers: { host: '10.244.1.7:7070' } })
    expect([status, JSON.parse(text)]).toEqual([200, { status: 'ready', version: '0.1.0' }])
  })

  it('is 503 from the moment the server begins to stop', async () => {
    const server = await startServer()
    server.deps.readiness.stopping()
    const { status, text } = await server.ask('/readyz')
    expect([status, errorBody.parse(JSON.parse(text)).error.code]).toEqual([503, 'server_restarted'])
    expect((await server.ask('/healthz')).status).toBe(200)
  })

  it('is 503 when the data is gone', async () => {
    const server = await startServer()
    rmSync(server.data, { recursive: true })
    const { status, text } = await server.ask('/readyz')
    expect([status, errorBody.parse(JSON.parse(text)).error.code]).toEqual([503, 'data_unwritable'])
  })
})

describe('readiness', () => {
  it('waits for no lock of another process', async () => {
    const data = dataDir()
    const { deps, sql } = openRig({ data })
    sql('BEGIN IMMEDIATE')
    expect(await createReadiness({ store: deps.store, dataDir: data }).problem()).toBeNull()
    chmodSync(data, 0o700)
  })
})

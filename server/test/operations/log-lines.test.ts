/** The server's log: one JSON object a line, with the ids of the run and the session that it is about. */
import { once } from 'node:events'
import { PassThrough } from 'node:stream'
import { LabError } from '@expresslane/shared/base/errors'
import { pino } from 'pino'
import { describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { logRuns } from '../../src/operations/run-lines.ts'
import { currentRun, inRun } from '../../src/runs/log/current-run.ts'
import { idsOf } from '../../src/routes/operations/request-ids.ts'
import { createFakeTestbed } from '../support/fakes/fake-testbed.ts'
import { beginSession, dataDir, openRig, runStep } from '../support/deps.ts'
import { startFakeServer } from '../support/http/process.ts'

interface Line {
  readonly level: number
  readonly msg: string
  readonly [field: string]: unknown
}

const INFO = 30
const WARN = 40

function collect() {
  const stream = new PassThrough()
  const logger = pino({ level: 'info', mixin: currentRun }, stream)
  const lines = (): Line[] => {
    const text: unknown = stream.setEncoding('utf8').read()
    return (typeof text === 'string' ? text : '')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as Line)
  }
  return { logger, lines }
}

describe('lines of runs', () => {
  it('name run, session, lab and step when it starts and ends; a failed one is a warning with its code', async () => {
    const fake = createFakeTestbed()
    const { deps } = openRig({ fakes: [fake] })
    const { logger, lines } = collect()
    logRuns(deps.log, logger)
    const session = await beginSession(deps)
    const passed = await runStep(deps, session, 'preflight')
    fake.fail('preflight', new LabError('testbed_gone', 'It is gone.', 'Deploy again.'))
    const failed = await runStep(deps, session, 'preflight')
    const of = { sessionId: session.id, labId: 'big-tcp-ipv4', testbed: 'netns' }
    expect(lines()).toMatchObject([
      { ...of, level: INFO, msg: 'run started', runId: passed.id, stepId: 'preflight' },
      { ...of, level: INFO, msg: 'run ended', runId: passed.id, state: 'completed', problem: null },
      { ...of, level: INFO, msg: 'run started', runId: failed.id, stepId: 'preflight' },
      {
        ...of,
        level: WARN,
        msg: 'run ended',
        runId: failed.id,
        state: 'failed',
        problem: { code: 'testbed_gone', message: 'It is gone.' },
      },
    ])
  })

  it('name the run that any other line was written for', async () => {
    const { logger, lines } = collect()
    await inRun({ runId: 'r_00000001', sessionId: 's_00000001' }, async () => {
      await Promise.resolve()
      logger.error('not recorded')
    })
    logger.info('outside')
    const [inside, outside] = lines()
    expect(inside).toMatchObject({ msg: 'not recorded', runId: 'r_00000001', sessionId: 's_00000001' })
    expect(outside).not.toHaveProperty('runId')
  })
})

describe('lines of requests', () => {
  it.each([
    ['/api/sessions/s_0a1b2c3d/steps/deploy/run', { sessionId: 's_0a1b2c3d' }],
    ['/api/runs/r_0a1b2c3d?x=1', { runId: 'r_0a1b2c3d' }],
    ['/api/runs/r_0a1b2c3d', { runId: 'r_0a1b2c3d' }],
    ['/api/runs', {}],
    ['/api/runs/../../token', {}],
    ['/open?token=/runs/r_x', {}],
  ])('%s has %j', (url, ids) => {
    expect(idsOf(url)).toEqual(ids)
  })
})

describe('a message on the stream above the limit', () => {
  it('closes it and is one line, without a stack', async () => {
    const { child, ended, port, token } = await startFakeServer(dataDir(), { LOG_LEVEL: 'warn' })
    const socket = new WebSocket(`ws://127.0.0.1:${port}/api/stream`, { headers: { authorization: `Bearer ${token}` } })
    await once(socket, 'open')
    socket.send('x'.repeat(2000))
    await once(socket, 'close')
    child.kill('SIGTERM')
    const { out } = await ended
    const [, ...lines] = out.trim().split('\n')
    expect(lines.map((line) => JSON.parse(line) as Line)).toEqual([
      expect.objectContaining({ level: WARN, msg: expect.stringContaining('a stream is closed'), person: 'owner' }),
    ])
    expect(out).not.toContain('stack')
  })
})

import fastify from 'fastify'
import { serializerCompiler, validatorCompiler } from 'fastify-type-provider-zod'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { z } from 'zod'
import { serve } from '../../src/routes/http/serve.ts'

const logged: string[] = []
const app = fastify({ logger: { level: 'warn', stream: { write: (line) => void logged.push(line) } } })

beforeAll(async () => {
  app.setValidatorCompiler(validatorCompiler).setSerializerCompiler(serializerCompiler)
  const about = { summary: 'Test', tags: ['test'] as const }
  serve(app, { at: 'GET /returned', response: z.string() }, { ...about, handler: () => Promise.resolve('returned') })
  serve(app, { at: 'GET /sent', response: z.string() }, { ...about, handler: async (_, reply) => reply.send('sent') })
  serve(app, { at: 'DELETE /nothing' }, { ...about, handler: () => Promise.resolve() })
  await app.ready()
})
afterAll(() => app.close())

it.each([
  ['GET', '/returned', 200, 'returned'],
  ['GET', '/sent', 200, 'sent'],
  ['DELETE', '/nothing', 204, ''],
] as const)('%s %s is answered once, without a warning', async (method, url, status, body) => {
  const answer = await app.inject({ method, url })
  expect([answer.statusCode, answer.body]).toEqual([status, body])
  expect(logged).toEqual([])
})

/** Requests as the API's description has them, as valid as it says and with changes. */
import { Agent, request } from 'node:http'
import fc from 'fast-check'
import { runsResponse } from '@expresslane/shared/wire/protocol'
import { recordingsResponse } from '@expresslane/shared/recordings/recording'
import type { Random } from '@expresslane/shared/compare/stats/random'
import { z } from 'zod'
import type { BenchApp } from '../../support/app.ts'
import { schema, valueOf, type Schemas } from './from-schema.ts'
import type { Kind, Outcome } from './kind.ts'
import { mutateJson, mutateText, pick, whole } from './mutate.ts'

const media = z.looseObject({ 'application/json': z.looseObject({ schema }).optional() })
const operation = z.looseObject({
  parameters: z.array(z.looseObject({ name: z.string(), in: z.enum(['path', 'query', 'header']), schema })).default([]),
  requestBody: z.looseObject({ content: media }).optional(),
})
const description = z.looseObject({
  paths: z.record(z.string(), z.record(z.string(), operation)),
  components: z.looseObject({ schemas: z.record(z.string(), schema) }),
})

/** Requests that would end this session of bad inputs: a new secret for the link, and an answer that never ends. */
const leftOut = new Set(['post /api/me/link', 'get /api/stream'])
const WAIT_MS = 60_000
/** Values made beforehand of each schema. */
const SAMPLES = 60

interface Parameter {
  readonly name: string
  readonly place: 'path' | 'query' | 'header'
  readonly values: readonly unknown[]
}

interface Operation {
  readonly method: string
  readonly path: string
  readonly parameters: readonly Parameter[]
  /** Null where the operation has no body. */
  readonly bodies: readonly unknown[] | null
}

export interface Message {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | null
}

type Ids = Readonly<Record<string, readonly string[]>>

/** Makes ids that exist: a session with an ended run, on a recording. Without them most addresses answer 404. */
async function known(app: BenchApp): Promise<Ids> {
  const { recordings } = recordingsResponse.parse(await app.ask('GET', '/api/recordings'))
  const first = recordings.find(({ lab }) => lab === 'big-tcp-ipv4')
  if (first === undefined) throw new Error('no recording of the first lab is shipped')
  const session = await app.session(first.lab, `recording:${first.id}`)
  await app.run(session, 'preflight', { params: { speed: 20 } })
  const { runs } = runsResponse.parse(await app.ask('GET', '/api/runs?limit=1'))
  return {
    sessions: [session],
    runs: runs.map(({ id }) => id),
    recordings: [first.id],
    testbeds: ['recording', `recording:${first.id}`, 'kubernetes'],
    step: ['preflight', 'baseline', 'compare'],
    doors: ['participant', 'viewer'],
  }
}

/** @param ids real ids, by the parameter or the collection that they are for */
async function operationsOf(app: BenchApp, ids: Ids, seed: number): Promise<Operation[]> {
  const { paths, components } = description.parse(await app.ask('GET', '/api/openapi.json'))
  const schemas: Schemas = components.schemas
  const samples = (of: z.infer<typeof schema>): unknown[] => fc.sample(valueOf(of, schemas), { numRuns: SAMPLES, seed })
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, { parameters, requestBody }]): Operation[] => {
      if (leftOut.has(`${method} ${path}`)) return []
      const collection = path.split('/')[2] ?? ''
      const of = requestBody?.content['application/json']?.schema
      return [
        {
          method: method.toUpperCase(),
          path,
          parameters: parameters.map((one) => {
            const real = ids[one.name] ?? (one.in === 'path' && one.name === 'id' ? ids[collection] : undefined) ?? []
            // Half of them are real, if any is.
            const made = samples(one.schema)
            const values = real.length === 0 ? made : [...made, ...made.map((_, index) => real[index % real.length])]
            return { name: one.name, place: one.in, values }
          }),
          bodies: of === undefined ? null : samples(of),
        },
      ]
    }),
  )
}

function textFor(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value ?? null)
}

/** Changes a value with a chance. */
function perhaps<T>(random: Random, chance: number, value: T, change: (random: Random, value: T) => T): T {
  return random() < chance ? change(random, value) : value
}

function bodyFor(random: Random, bodies: readonly unknown[]): string {
  const value = perhaps(random, 0.7, pick(random, bodies), mutateJson)
  return perhaps(random, 0.15, JSON.stringify(value), mutateText)
}

/** A request of an operation. */
function messageFor(random: Random, { method, path, parameters, bodies }: Operation): Message {
  const valueFor = (values: readonly unknown[]): string =>
    encodeURIComponent(perhaps(random, 0.3, textFor(pick(random, values)), mutateText).toWellFormed())
  let address = path
  const query: string[] = []
  for (const { name, place, values } of parameters) {
    if (place === 'path') address = address.replace(`{${name}}`, valueFor(values))
    else if (random() < 0.7) query.push(`${name}=${valueFor(values)}`)
  }
  if (random() < 0.05) query.push(`${valueFor(['x'])}=${valueFor(['y'])}`)
  const body = bodies === null ? (random() < 0.05 ? '{}' : null) : random() < 0.03 ? '' : bodyFor(random, bodies)
  const type = random() < 0.95 ? 'application/json' : pick(random, ['text/plain', 'application/xml', 'x', ''])
  return {
    method: random() < 0.03 ? pick(random, ['PATCH', 'OPTIONS', 'HEAD', 'TRACE']) : method,
    path: `${address}${query.length > 0 ? `?${query.join('&')}` : ''}`,
    headers: body === null ? {} : { 'content-type': type },
    body,
  }
}

/** Sends a message over a connection that stays. @throws Error when the server does not answer */
export function send(app: BenchApp, agent: Agent, { method, path, headers, body }: Message): Promise<Outcome> {
  const url = new URL(app.link)
  const authorization = `Bearer ${url.searchParams.get('token')}`
  const shown = `${method} ${path} ${body ?? ''}`.slice(0, 600)
  return new Promise((resolve, reject) => {
    const options = { host: url.hostname, port: url.port, method, path, agent, headers: { authorization, ...headers } }
    const asked = request({ ...options, timeout: WAIT_MS }, (answer) => {
      let text = ''
      answer.setEncoding('utf8').on('data', (part: string) => {
        if (text.length < 300) text += part
      })
      answer.once('error', reject)
      answer.once('end', () => resolve({ status: answer.statusCode ?? 0, said: `${shown}\n-> ${text.slice(0, 300)}` }))
    })
    asked.once('timeout', () => asked.destroy(new Error(`no answer within ${WAIT_MS / 1000} s`)))
    // A connection that the server closed: nothing was answered.
    asked.once('error', (error) => resolve({ status: null, said: `${shown}\n-> ${error.message}` }))
    asked.end(body ?? undefined)
  })
}

export const apiInputs: Kind = {
  name: 'bodies, paths and queries',
  share: 60,
  atOnce: 8,
  async open(app, random) {
    const agent = new Agent({ keepAlive: true })
    const operations = await operationsOf(app, await known(app), whole(random, 2 ** 31))
    return async () => [await send(app, agent, messageFor(random, pick(random, operations)))]
  },
}

export const profileInputs: Kind = {
  name: 'profiles',
  share: 8,
  atOnce: 4,
  async open(app, random) {
    const agent = new Agent({ keepAlive: true })
    const all = await operationsOf(app, {}, whole(random, 2 ** 31))
    const operations = all.filter(({ path }) => path.startsWith('/api/profiles'))
    return async () => [await send(app, agent, messageFor(random, pick(random, operations)))]
  },
}

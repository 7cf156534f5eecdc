/** The API's description, generated from the schemas that the routes validate with. */
import swagger, { type SwaggerTransform, type SwaggerTransformObject } from '@fastify/swagger'
import type { FastifyInstance } from 'fastify'
import { createJsonSchemaTransform, createJsonSchemaTransformObject } from 'fastify-type-provider-zod'
import type { z } from 'zod'
import { packJson, type Kept } from './kept.ts'
import { componentNames, named } from './schemas.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The body's schema for the description, when the route itself reads the body as text. */
    described?: z.ZodType
    /** A request can come without a body. The plugin otherwise describes every body as required. */
    bodyOptional?: boolean
  }
}

/** The path of the schemas in the document. */
const SCHEMAS = '#/components/schemas/'

/** Marks an operation on its way from {@link transform} to {@link transformObject}. */
const BODY_OPTIONAL = 'x-body-optional'

interface Operation {
  [BODY_OPTIONAL]?: boolean
  requestBody?: { required?: boolean }
}

function applyOptionalBodies(paths: object): void {
  for (const operation of Object.values(paths).flatMap((path: Record<string, Operation>) => Object.values(path))) {
    if (operation[BODY_OPTIONAL] !== true) continue
    delete operation[BODY_OPTIONAL]
    if (operation.requestBody !== undefined) operation.requestBody.required = false
  }
}

/** The names of the component schemas that a part of the document refers to. */
function referredTo(part: unknown): string[] {
  if (typeof part !== 'object' || part === null) return []
  return Object.entries(part).flatMap(([key, value]: [string, unknown]) =>
    key === '$ref' && typeof value === 'string' && value.startsWith(SCHEMAS)
      ? [value.slice(SCHEMAS.length)]
      : referredTo(value),
  )
}

/** Routes validate with Zod schemas; the description shows them as JSON Schema. */
function transform(): SwaggerTransform {
  const toJson = createJsonSchemaTransform({ schemaRegistry: named })
  return (route) => {
    const { described, bodyOptional } = route.route.config ?? {}
    const { schema, url } = toJson(
      described === undefined ? route : { ...route, schema: { ...route.schema, body: described } },
    )
    return { schema: bodyOptional === true ? { ...schema, [BODY_OPTIONAL]: true } : schema, url }
  }
}

/**
 * Describes components as the server sends them. The input form of one (`ExperimentPlanInput`, in which fields with a
 * default are optional) appears only if a request refers to it.
 */
function transformObject(): SwaggerTransformObject {
  const toJson = createJsonSchemaTransformObject({ schemaRegistry: named })
  return (document) => {
    const described = toJson(document)
    if ('paths' in described) applyOptionalBodies(described.paths ?? {})
    const { schemas = {} } = 'components' in described ? (described.components ?? {}) : {}
    const used = new Set(componentNames)
    const open = [...componentNames, ...referredTo('paths' in described ? described.paths : {})]
    for (let name = open.pop(); name !== undefined; name = open.pop()) {
      const found = referredTo(schemas[name]).filter((one) => !used.has(one))
      used.add(name)
      for (const one of found) open.push(one)
    }
    for (const name of Object.keys(schemas)) if (!used.has(name)) delete schemas[name]
    return described
  }
}

/** Registers the description, and `GET /api/openapi.json`. Routes must be registered after it. */
export async function describeApi(server: FastifyInstance, kept: Kept, version: string): Promise<void> {
  await server.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: { title: 'Expresslane', version, description: 'Labs, testbeds, sessions, runs and their events.' },
      components: {
        securitySchemes: {
          bearer: {
            type: 'http',
            scheme: 'bearer',
            description: 'EXPRESSLANE_TOKEN, or the token of the printed link',
          },
        },
      },
      security: [{ bearer: [] }],
    },
    transform: transform(),
    transformObject: transformObject(),
  })
  // Made for the first who asks, and kept: it takes a tenth of a second, which most servers never need.
  server.get('/api/openapi.json', { schema: { hide: true } }, async (request, reply) =>
    kept.send(request, reply, 'openapi', () => packJson(JSON.stringify(server.swagger()))),
  )
}

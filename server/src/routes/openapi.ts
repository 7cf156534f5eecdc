/** The API's description, generated from the schemas that the routes validate with. */
import swagger, { type SwaggerTransform, type SwaggerTransformObject } from '@fastify/swagger'
import type { FastifyInstance } from 'fastify'
import { createJsonSchemaTransform, createJsonSchemaTransformObject } from 'fastify-type-provider-zod'
import { componentNames, named } from './schemas.ts'

const STREAM = '/api/stream'

/** The WebSocket plugin hides its routes; as an upgrade the stream is part of the API all the same. */
function transform(): SwaggerTransform {
  const toJson = createJsonSchemaTransform({ schemaRegistry: named })
  return (route) => toJson(route.url === STREAM ? { ...route, schema: { ...route.schema, hide: false } } : route)
}

/** Components are told as the server sends them; what it is sent names none of them. */
function transformObject(): SwaggerTransformObject {
  const toJson = createJsonSchemaTransformObject({ schemaRegistry: named })
  return (document) => {
    const described = toJson(document)
    const schemas = 'components' in described ? (described.components?.schemas ?? {}) : {}
    for (const name of Object.keys(schemas)) if (!componentNames.has(name)) delete schemas[name]
    return described
  }
}

/** Registers the description, and `GET /api/openapi.json`. Routes must be registered after it. */
export async function describeApi(server: FastifyInstance, version: string): Promise<void> {
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
  server.get('/api/openapi.json', { schema: { hide: true } }, async () => server.swagger())
}

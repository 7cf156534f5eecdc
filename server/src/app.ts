/** Builds the HTTP server: plugins, access control, routes. It does not listen yet. */
import { randomUUID } from 'node:crypto'
import { createServer as createHttpServer, type RequestListener, type Server as HttpServer } from 'node:http'
import { createServer as createHttpsServer } from 'node:https'
import cookie from '@fastify/cookie'
import helmet, { type FastifyHelmetOptions } from '@fastify/helmet'
import websocket from '@fastify/websocket'
import { LabError } from '@expresslane/shared/base/errors'
import { streamClose } from '@expresslane/shared/wire/stream'
import { TESTBED_ID_LENGTH } from '@expresslane/shared/testbed/id'
import { fastify, type FastifyBaseLogger, type FastifyInstance } from 'fastify'
import { serializerCompiler, validatorCompiler } from 'fastify-type-provider-zod'
import packageJson from '../package.json' with { type: 'json' }
import { createAccess } from './access/access.ts'
import { createAddresses, type Addresses } from './access/addresses.ts'
import { certificateFor, type Certificate } from './access/certificate.ts'
import { createEntrance, type Entrance } from './access/entrance.ts'
import { createDoors } from './access/joining/doors.ts'
import { linkOwner } from './access/principal.ts'
import { keptToken, requireStrong } from './access/token.ts'
import { createWrongKeys } from './access/wrong-keys.ts'
import { openTool, type Tool } from './completion/lti/tool.ts'
import { openSigner } from './completion/signer.ts'
import { isReachable } from './config.ts'
import { collectGarbage, collectWhenIdle } from './operations/idle-collection.ts'
import type { Deps } from './deps.ts'
import { createConnections, type Connections } from './routes/http/connections.ts'
import { boundsFor, mostOpenFiles } from './routes/http/open-connections.ts'
import { compressAnswers } from './routes/http/compress.ts'
import { createReports } from './reports/make-apart.ts'
import { answerUnreadable, handleErrors, sendError } from './routes/http/errors.ts'
import { createKept, keepNoAnswers } from './routes/http/kept.ts'
import { exportRoutes, foundRoutes } from './routes/labs/exports.ts'
import { guard, refuseRemoved } from './routes/http/gate.ts'
import { boundRequests } from './routes/http/in-flight.ts'
import { dataRoute } from './routes/operations/data.ts'
import { healthRoutes } from './routes/operations/health.ts'
import { countAnswers, metricsRoute } from './routes/operations/metrics.ts'
import { idsOf } from './routes/operations/request-ids.ts'
import { labRoutes } from './routes/labs/labs.ts'
import { driverRoutes, testbedRoutes } from './routes/labs/testbeds.ts'
import { waitForLock } from './routes/http/lock.ts'
import { collectMethods } from './routes/http/methods.ts'
import { describeApi } from './routes/http/openapi.ts'
import { auditRequests, auditRoutes } from './routes/access/audit.ts'
import { invitationRoutes } from './routes/access/invitations.ts'
import { joinRoutes } from './routes/access/join.ts'
import { ltiRoutes } from './routes/access/lti.ts'
import { meRoute, recordRoute } from './routes/access/me.ts'
import { openRoute } from './routes/access/open.ts'
import { servePage } from './routes/page.ts'
import { siteRoutes } from './routes/site.ts'
import { handRoutes } from './routes/room/hands.ts'
import { presentationRoutes } from './routes/room/presentation.ts'
import { profileRoutes } from './routes/labs/profiles.ts'
import { recordingRoutes, recordRoutes } from './routes/labs/recordings.ts'
import { roomResultRoutes, roomRoutes, roomStepsRoutes } from './routes/room/room.ts'
import { rehearsalRoutes } from './routes/room/rehearsal.ts'
import { opinionRoutes, runCommandRoutes, runRoutes } from './routes/labs/runs.ts'
import { sessionRoutes } from './routes/labs/sessions.ts'
import { terminalRoutes } from './routes/labs/terminals.ts'
import { endStream, streamRoute } from './routes/stream.ts'

const { version } = packageJson
const BODY_BYTES = 64 * 1024

export interface App {
  readonly server: FastifyInstance
  /** The token in the printed link. */
  readonly token: string
  readonly addresses: Addresses
  /** Null: plain http. */
  readonly certificate: Certificate | null
  readonly entrance: Entrance
  /** The `did:key` that signs records; null where none are signed. */
  readonly issuer: string | null
  /** True if learning platforms send people. */
  readonly lti: boolean
}

/**
 * Allows scripts and styles only from this server. Recharts positions elements with style attributes, which can't load
 * or run anything.
 */
const contentSecurityPolicy = {
  useDefaults: false,
  directives: {
    'default-src': ["'none'"],
    'script-src': ["'self'"],
    'style-src': ["'self'"],
    'style-src-attr': ["'unsafe-inline'"],
    'connect-src': ["'self'"],
    'img-src': ["'self'", 'data:'],
    'font-src': ["'self'"],
    'manifest-src': ["'self'"],
    'base-uri': ["'none'"],
    'form-action': ["'self'"],
  },
}

/** Only the pages of learning platforms may show this server's page inside them. */
function frameable(tool: Tool | null): FastifyHelmetOptions {
  const directives = {
    ...contentSecurityPolicy.directives,
    'frame-ancestors': tool === null ? ["'none'"] : [...tool.origins],
  }
  return {
    contentSecurityPolicy: { ...contentSecurityPolicy, directives },
    strictTransportSecurity: false,
    // It can't name an origin, and browsers that know frame-ancestors ignore it.
    xFrameOptions: tool === null,
  }
}

/** @throws LabError `config_invalid` for a file that is wrong, or a server that nobody can join */
async function toolOf({ config, clock }: Pick<Deps, 'config' | 'clock'>): Promise<Tool | null> {
  if (config.lti === null) return null
  if (config.workshop) return openTool(config.lti, config.dataDir, clock)
  throw new LabError(
    'config_invalid',
    'EXPRESSLANE_LTI lets people of learning platforms join, but this server is not set up for a workshop.',
    'Start it with the option --workshop, or unset EXPRESSLANE_LTI.',
  )
}

function portOf(server: FastifyInstance, configured: number): number {
  const address = server.server.address()
  return address === null || typeof address === 'string' ? configured : address.port
}

/** Accepts an empty body with a JSON content type, since some scripts always send the header. */
function acceptNoBody(server: FastifyInstance): void {
  const parse = server.getDefaultJsonParser('error', 'error')
  server.removeContentTypeParser(['application/json', 'text/plain'])
  server.addContentTypeParser<string>('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (body === '') done(null)
    else void parse(request, body, done)
  })
}

/**
 * A stream's client sends nothing. A client that does not read never answers the close frame: its connection is cut
 * after `closeTimeout`, in milliseconds. A constant, because the types of `ws` do not have that option yet.
 */
const streamLimits = { maxPayload: 1024, closeTimeout: 1000 }
/** How long an idle connection stays open, longer than the 60 s of usual proxies. */
const KEEP_ALIVE_MS = 72_000
/** How late Node may notice that a request takes too long, as a part of that time. */
const LATE = 1 / 30

/** @param requestMs how long a client has for a whole request, its body included */
function listener(
  certificate: Certificate | null,
  requestMs: number,
  connections: Connections,
  handler: RequestListener,
): HttpServer {
  const limits = {
    shouldUpgradeCallback: connections.canUpgrade,
    keepAliveTimeout: KEEP_ALIVE_MS,
    headersTimeout: requestMs,
    requestTimeout: requestMs,
    connectionsCheckingInterval: requestMs * LATE,
  }
  const inTurn = connections.inTurn(handler)
  return connections.watch(
    certificate === null
      ? createHttpServer(limits, inTurn)
      : createHttpsServer({ ...limits, cert: certificate.cert, key: certificate.key }, inTurn),
  )
}

/** Health checks and scrapes come at all times: they are not counted. */
function giveMemoryBack(server: FastifyInstance, { clock, store, log }: Pick<Deps, 'clock' | 'store' | 'log'>): void {
  const isFree = (): boolean => store.runs.open().length === 0
  const idle = collectWhenIdle({ clock, isFree, collect: collectGarbage })
  server.addHook('onResponse', async ({ url }) => {
    if (url.startsWith('/api/')) idle.busy()
  })
  const unsubscribe = log.subscribe(() => idle.busy())
  server.addHook('onClose', async () => {
    unsubscribe()
    idle.close()
  })
}

/** Fastify, with our schemas, errors and limits, and without routes. */
function newServer({ config, logger }: Deps, serverFactory: (handler: RequestListener) => HttpServer): FastifyInstance {
  const loggerInstance: FastifyBaseLogger = logger
  const server: FastifyInstance = fastify({
    loggerInstance,
    serverFactory,
    childLoggerFactory: (parent, bindings, options, request) =>
      parent.child({ ...bindings, ...idsOf(request.url ?? '') }, options),
    // Only a proxy on this machine may say for whom it asks.
    trustProxy: config.origins.length > 0 ? 'loopback' : false,
    bodyLimit: BODY_BYTES,
    routerOptions: { maxParamLength: TESTBED_ID_LENGTH },
    forceCloseConnections: true,
    // For a URL that can't be decoded.
    frameworkErrors: (error, request, reply) => void sendError(error, request, reply),
    clientErrorHandler: answerUnreadable,
  })
  server.setValidatorCompiler(validatorCompiler)
  server.setSerializerCompiler(serializerCompiler)
  handleErrors(server)
  acceptNoBody(server)
  return server
}

/** Builds everything except the listening socket; `inject` works on the result. */
export async function buildApp(deps: Deps): Promise<App> {
  const { config } = deps
  const token = config.token ?? keptToken(config.dataDir)
  if (isReachable(config)) requireStrong(token)
  const port = (): number => portOf(server, config.port)
  const addresses = createAddresses(config, port)
  const tool = await toolOf(deps)
  const signer = config.records ? openSigner(config.dataDir) : null
  const certificate =
    config.https === null
      ? null
      : await certificateFor(config.https, config.dataDir, addresses.names(), deps.clock.now())
  const connections = createConnections(deps.clock, deps.logger, boundsFor(config.participants, mostOpenFiles()))
  const server = newServer(deps, (handler) => listener(certificate, config.requestMs, connections, handler))

  const access = createAccess({
    addresses,
    keys: [{ token, principal: linkOwner }, ...deps.guests],
    metricsToken: config.metricsToken,
    guest: (key) => (config.workshop ? deps.people.withKey(key) : null),
    holdsLogin: deps.people.holdsLogin,
    port,
    workshop: config.workshop,
  })
  const wrongKeys = createWrongKeys(deps.clock)
  const front = { access, addresses, wrongKeys, embedded: tool !== null }
  const origin = (): string => addresses.room()[0] ?? addresses.here()
  const entrance = createEntrance({
    store: deps.store,
    people: deps.people,
    wrongCodes: createWrongKeys(deps.clock),
    doors: createDoors(deps.clock, () => deps.room.note()),
    clock: deps.clock,
    workshop: config.workshop,
    origin,
  })
  await server.register(helmet, frameable(tool))
  await server.register(cookie)
  await server.register(websocket, {
    options: streamLimits,
    preClose(done) {
      for (const client of this.websocketServer.clients) client.close(streamClose.goingAway, 'the server is stopping')
      done()
    },
    errorHandler: endStream,
  })
  keepNoAnswers(server)
  guard(server, access, wrongKeys)
  boundRequests(server, deps.clock)
  waitForLock(server, deps.log)
  refuseRemoved(server, deps.people)
  auditRequests(server, deps)
  countAnswers(server, deps.metrics)
  giveMemoryBack(server, deps)
  compressAnswers(server)
  const kept = createKept()
  const reports = createReports({ dataDir: config.dataDir, clock: deps.clock, madeBy: `Expresslane ${version}` })
  server.addHook('onClose', async () => reports.close())
  await describeApi(server, kept, version)
  const refuseOtherMethods = collectMethods(server)
  const boot = randomUUID()
  for (const plugin of [
    healthRoutes(version, deps.readiness),
    metricsRoute(deps.metrics),
    openRoute(front),
    joinRoutes(deps, front, entrance),
    invitationRoutes(entrance),
    auditRoutes(deps),
    meRoute(deps, front),
    recordRoute(deps, signer),
    ltiRoutes(deps, front, tool, origin),
    dataRoute(deps),
    labRoutes(deps, kept),
    siteRoutes(deps),
    testbedRoutes(deps),
    driverRoutes(deps),
    terminalRoutes(deps),
    sessionRoutes(deps),
    runRoutes(deps),
    opinionRoutes(deps),
    runCommandRoutes(deps),
    roomRoutes(deps, entrance),
    handRoutes(deps),
    roomResultRoutes(deps, reports, version),
    roomStepsRoutes(deps, reports, version, origin),
    exportRoutes(deps, kept, reports),
    foundRoutes(deps, `Expresslane ${version}`),
    recordRoutes(deps),
    recordingRoutes(deps),
    profileRoutes(deps),
    presentationRoutes(deps),
    rehearsalRoutes(deps),
    streamRoute(deps, { boot, version }),
  ]) {
    await server.register(plugin)
  }
  refuseOtherMethods()
  await servePage(server, config.webDir)
  return { server, token, addresses, certificate, entrance, issuer: signer?.did ?? null, lti: tool !== null }
}

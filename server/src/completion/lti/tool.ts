/**
 * Expresslane as a tool of learning platforms: the login, the launch, and the grades.
 *
 * @see https://www.imsglobal.org/spec/lti/v1p3
 * @see https://www.imsglobal.org/spec/security/v1p0
 * @see https://www.imsglobal.org/spec/lti-ags/v2p0
 */
import { createPublicKey, generateKeyPairSync, randomBytes, randomUUID } from 'node:crypto'
import { LabError } from '@expresslane/shared/base/errors'
import { calculateJwkThumbprint, createRemoteJWKSet, exportJWK, jwtVerify, SignJWT, type JSONWebKeySet } from 'jose'
import { z } from 'zod'
import { sameSecret } from '../../access/token.ts'
import type { Clock } from '../../runs/clock.ts'
import type { Launch } from '../../store/people/launches.ts'
import { keptKey } from '../kept-key.ts'
import { readPlatforms, type Platform } from './platforms.ts'

/** How long a login can take, with the platform's own log-in form in between. */
const LOGIN_MS = 10 * 60_000
/** Anybody can begin a login: the oldest of too many is forgotten. */
const MOST_LOGINS = 10_000
const REQUEST_MS = 10_000
const CLOCKS_DIFFER_SECONDS = 60
const SCORE_SCOPE = 'https://purl.imsglobal.org/spec/lti-ags/scope/score'

/** OpenID Connect, third-party initiated login, with the parameters of LTI. */
export const loginRequest = z.object({
  iss: z.string().max(255),
  login_hint: z.string().max(2000),
  target_link_uri: z.string().max(2000),
  client_id: z.string().max(255).optional(),
  lti_message_hint: z.string().max(4000).optional(),
})

const claims = z.object({
  sub: z.string().min(1).max(255),
  nonce: z.string(),
  azp: z.string().optional(),
  name: z.string().optional(),
  'https://purl.imsglobal.org/spec/lti/claim/message_type': z.literal('LtiResourceLinkRequest'),
  'https://purl.imsglobal.org/spec/lti/claim/version': z.literal('1.3.0'),
  'https://purl.imsglobal.org/spec/lti/claim/deployment_id': z.string(),
  'https://purl.imsglobal.org/spec/lti/claim/target_link_uri': z.string(),
  'https://purl.imsglobal.org/spec/lti/claim/resource_link': z.object({ id: z.string().min(1).max(255) }),
  'https://purl.imsglobal.org/spec/lti/claim/custom': z.object({ lab: z.string().optional() }).optional(),
  'https://purl.imsglobal.org/spec/lti-ags/claim/endpoint': z
    .object({ lineitem: z.url({ protocol: /^https?$/ }).optional(), scope: z.array(z.string()) })
    .optional(),
})

/** A person whom a platform sent, and the lab that they are to see. */
export interface Launched extends Omit<Launch, 'principal' | 'sent'> {
  /** Null if the platform keeps it to itself. */
  readonly name: string | null
}

export interface Tool {
  /** The origins of the pages that show a lab inside them. */
  readonly origins: readonly string[]
  /** The public key with which platforms verify the tool's requests. */
  readonly jwks: JSONWebKeySet
  /**
   * Begins a login.
   *
   * @param browser a secret of the browser, which must finish the login
   * @returns the address at which the platform goes on
   * @throws LabError `launch_invalid`
   */
  login(asked: z.output<typeof loginRequest>, browser: string, redirectUri: string): string
  /** Ends a login, each only once. @throws LabError `launch_invalid` */
  launch(idToken: string, state: string, browser: string): Promise<Launched>
  /** Sends a platform the number of steps that have passed. @throws Error if it does not take the grade */
  grade(launch: Launch, steps: { readonly done: number; readonly of: number }, signal: AbortSignal): Promise<void>
}

interface Login {
  readonly platform: Platform
  readonly nonce: string
  readonly browser: string
  readonly until: number
}

function refused(message: string, cause: unknown = null): LabError {
  const detail = cause instanceof Error ? { detail: cause.message } : {}
  return new LabError('launch_invalid', message, 'Open the lab from the course again.', { cause, ...detail })
}

/** `lab` of the custom parameters, or the last part of the link: `https://labs.example.org/labs/big-tcp-ipv4`. */
function labOf(payload: z.output<typeof claims>): string {
  const named = payload['https://purl.imsglobal.org/spec/lti/claim/custom']?.lab
  const link = payload['https://purl.imsglobal.org/spec/lti/claim/target_link_uri']
  return named ?? /\/labs\/([a-z][a-z0-9-]*)\/?$/.exec(link.split(/[?#]/, 1)[0] ?? '')?.[1] ?? ''
}

function launchedBy({ issuer, clientId, deployments }: Platform, payload: z.output<typeof claims>): Launched {
  const deployment = payload['https://purl.imsglobal.org/spec/lti/claim/deployment_id']
  if (!deployments.includes(deployment)) throw refused('This server does not know this deployment of the platform.')
  if (payload.azp !== undefined && payload.azp !== clientId) throw refused('This launch is for another tool.')
  const grades = payload['https://purl.imsglobal.org/spec/lti-ags/claim/endpoint']
  return {
    issuer,
    clientId,
    subject: payload.sub,
    deployment,
    resource: payload['https://purl.imsglobal.org/spec/lti/claim/resource_link'].id,
    labId: labOf(payload),
    lineItem: grades?.scope.includes(SCORE_SCOPE) === true ? (grades.lineitem ?? null) : null,
    name: payload.name ?? null,
  }
}

/** Logins under way, each used only once. */
function createLogins(clock: Pick<Clock, 'now'>) {
  const open = new Map<string, Login>()
  return {
    add(platform: Platform, browser: string): { state: string; nonce: string } {
      const [oldest] = open.keys()
      if (open.size >= MOST_LOGINS && oldest !== undefined) open.delete(oldest)
      const [state, nonce] = [randomBytes(24).toString('base64url'), randomBytes(24).toString('base64url')]
      open.set(state, { platform, nonce, browser, until: clock.now() + LOGIN_MS })
      return { state, nonce }
    },
    take(state: string, browser: string): Login {
      const login = open.get(state)
      open.delete(state)
      if (login === undefined || login.until <= clock.now())
        throw refused('This launch was used already, or took too long.')
      if (sameSecret(login.browser, browser)) return login
      throw refused('Another browser began this launch, or this browser keeps no cookies for pages inside other pages.')
    },
  }
}

async function requireOk(answer: Response): Promise<Response> {
  if (answer.ok) return answer
  await answer.body?.cancel()
  throw new Error(`${new URL(answer.url).origin} answered ${answer.status}`)
}

/** @throws LabError `config_invalid`, `data_exposed`, `data_unwritable` */
export async function openTool(path: string, dataDir: string, clock: Pick<Clock, 'now'>): Promise<Tool> {
  const platforms = readPlatforms(path)
  const key = keptKey(dataDir, 'lti.key', 'rsa', () => generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey)
  const jwk = await exportJWK(createPublicKey(key))
  const kid = await calculateJwkThumbprint(jwk)
  const keysOf = new Map(platforms.map((one) => [one, createRemoteJWKSet(new URL(one.jwksUrl))]))
  const logins = createLogins(clock)

  /** RFC 7523, 2.2. */
  async function tokenFor({ clientId, tokenUrl, tokenAudience }: Platform, signal: AbortSignal): Promise<string> {
    const seconds = Math.floor(clock.now() / 1000)
    const assertion = await new SignJWT()
      .setProtectedHeader({ alg: 'RS256', typ: 'JWT', kid })
      .setIssuer(clientId)
      .setSubject(clientId)
      .setAudience(tokenAudience ?? tokenUrl)
      .setIssuedAt(seconds)
      .setExpirationTime(seconds + 300)
      .setJti(randomUUID())
      .sign(key)
    const body = new URLSearchParams({
      grant_type: 'client_credentials',
      client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
      client_assertion: assertion,
      scope: SCORE_SCOPE,
    })
    const answer = await requireOk(await fetch(tokenUrl, { method: 'POST', body, signal }))
    return z.object({ access_token: z.string() }).parse(await answer.json()).access_token
  }

  return {
    origins: [...new Set(platforms.flatMap(({ origins }) => origins))],
    jwks: { keys: [{ ...jwk, kid, alg: 'RS256', use: 'sig' }] },
    login({ iss, client_id: clientId, login_hint, lti_message_hint }, browser, redirect_uri) {
      const found = platforms.filter((one) => one.issuer === iss && (clientId ?? one.clientId) === one.clientId)
      const [platform, ...others] = found
      if (platform === undefined || others.length > 0)
        throw refused('This server does not know this learning platform, or not under this client id.')
      const { state, nonce } = logins.add(platform, browser)
      const to = new URL(platform.authUrl)
      const query = {
        scope: 'openid',
        response_type: 'id_token',
        response_mode: 'form_post',
        prompt: 'none',
        client_id: platform.clientId,
        redirect_uri,
        login_hint,
        state,
        nonce,
        ...(lti_message_hint !== undefined && { lti_message_hint }),
      }
      for (const [name, value] of Object.entries(query)) to.searchParams.set(name, value)
      return to.href
    },
    async launch(idToken, state, browser) {
      const { platform, nonce } = logins.take(state, browser)
      const keys = keysOf.get(platform)
      if (keys === undefined) throw new Error(`no keys of ${platform.issuer}`)
      try {
        const { payload } = await jwtVerify(idToken, keys, {
          issuer: platform.issuer,
          audience: platform.clientId,
          algorithms: ['RS256'],
          requiredClaims: ['exp', 'iat'],
          clockTolerance: CLOCKS_DIFFER_SECONDS,
          currentDate: new Date(clock.now()),
        })
        const launch = claims.parse(payload)
        if (!sameSecret(launch.nonce, nonce)) throw refused('This launch belongs to another login.')
        return launchedBy(platform, launch)
      } catch (error) {
        throw error instanceof LabError ? error : refused('The learning platform’s token is not valid here.', error)
      }
    },
    async grade({ issuer, clientId, subject, lineItem }, { done, of }, ended) {
      const platform = platforms.find((one) => one.issuer === issuer && one.clientId === clientId)
      if (platform === undefined || lineItem === null) return
      const signal = AbortSignal.any([ended, AbortSignal.timeout(REQUEST_MS)])
      const token = await tokenFor(platform, signal)
      // Some platforms have a query in the address of a column.
      const to = new URL(lineItem)
      to.pathname = `${to.pathname.replace(/\/$/, '')}/scores`
      const score = {
        userId: subject,
        scoreGiven: done,
        scoreMaximum: of,
        activityProgress: done === of ? 'Completed' : 'InProgress',
        gradingProgress: done === of ? 'FullyGraded' : 'Pending',
        timestamp: new Date(clock.now()).toISOString(),
      }
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/vnd.ims.lis.v1.score+json' }
      await requireOk(await fetch(to, { method: 'POST', headers, body: JSON.stringify(score), signal }))
    },
  }
}

/**
 * A learning platform that speaks LTI 1.3 on a real socket, with keys of its own: OpenID Connect's login, a key set, tokens
 * for the tool, and a column for grades.
 */
import { once } from 'node:events'
import { createServer } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { calculateJwkThumbprint, createRemoteJWKSet, exportJWK, generateKeyPair, jwtVerify, SignJWT } from 'jose'

const CLIENT = 'expresslane-client'
export const DEPLOYMENT = 'deployment-1'
const CLAIM = 'https://purl.imsglobal.org/spec/lti/claim'
const SCORE_SCOPE = 'https://purl.imsglobal.org/spec/lti-ags/scope/score'

export interface Score {
  readonly userId: string
  readonly scoreGiven: number
  readonly scoreMaximum: number
  readonly activityProgress: string
  readonly gradingProgress: string
}

/** A test's changes to a token: claims, the signing key, or the time. */
export interface Forged {
  readonly claims?: Record<string, unknown>
  readonly key?: Awaited<ReturnType<typeof generateKeyPair>>['privateKey']
  readonly alg?: string
  /** In seconds from now. */
  readonly expires?: number
}

export interface Platform {
  readonly issuer: string
  /** The file for EXPRESSLANE_LTI. */
  readonly file: string
  /** The tool's address and the clock of both. */
  meets(tool: string, clock: () => number): void
  /** The platform's answer to the tool's login: a form for the browser to send. */
  authorize(address: string, person: object, forged?: Forged): Promise<{ id_token: string; state: string }>
  /** Grades from now on, in order. */
  nextScore(): Promise<Score>
  /** False: it is down, and answers 503. */
  isUp: boolean
  /** Resolves with the next request that it refuses because it is down. */
  turnedAway(): Promise<void>
  /** A page of a course with the tool in a frame, for a browser. */
  readonly course: string
  close(): void
}

/** A page whose form a browser sends at once. */
function sending(action: string, fields: object, target = '_self'): string {
  const inputs = Object.entries(fields).map(([name, value]) => `<input type="hidden" name="${name}" value="${value}">`)
  return `<form method="post" action="${action}" target="${target}">${inputs.join('')}</form><script>document.forms[0].submit()</script>`
}

/**
 * @param folder for the file that names it
 * @param host under which browsers and the tool reach it
 */
export async function startPlatform(folder: string, host = '127.0.0.1'): Promise<Platform> {
  const { privateKey, publicKey } = await generateKeyPair('RS256')
  const jwk = await exportJWK(publicKey)
  const kid = await calculateJwkThumbprint(jwk)
  const scores: Score[] = []
  let wanted: ((score: Score) => void) | null = null
  let away = (): void => {}
  let tool = ''
  let now = (): number => 0
  let granted = ''

  /** RFC 7523: the tool signs with a key of its own key set. */
  async function tokenFor(form: URLSearchParams): Promise<object> {
    const keys = createRemoteJWKSet(new URL(`${tool}/lti/jwks`))
    const { payload } = await jwtVerify(form.get('client_assertion') ?? '', keys, {
      algorithms: ['RS256'],
      issuer: CLIENT,
      subject: CLIENT,
      audience: `${issuer}/token`,
      requiredClaims: ['jti', 'exp'],
      currentDate: new Date(now()),
    })
    if (form.get('grant_type') !== 'client_credentials' || form.get('scope') !== SCORE_SCOPE) throw new Error('grant')
    granted = `token-${payload.jti}`
    return { access_token: granted, token_type: 'bearer', expires_in: 3600, scope: SCORE_SCOPE }
  }

  function take(score: Score): void {
    if (wanted === null) scores.push(score)
    else wanted(score)
    wanted = null
  }

  const server = createServer((request, response) => {
    const answer = (status: number, body: object = {}): void => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    }
    async function handle(): Promise<void> {
      const body = (await buffer(request)).toString()
      const { url = '', method, headers } = request
      const page = (html: string): void => void response.writeHead(200, { 'content-type': 'text/html' }).end(html)
      if (url === '/course') {
        const asked = { iss: issuer, login_hint: 'hint', lti_message_hint: 'message', target_link_uri: `${tool}/` }
        const frame = '<iframe name="lab" title="Lab" style="width:100%;height:90vh"></iframe>'
        return page(`<h1>Course</h1>${frame}${sending(`${tool}/lti/login`, asked, 'lab')}`)
      }
      if (url.startsWith('/auth?')) {
        return page(
          sending(`${tool}/lti/launch`, await platform.authorize(`${issuer}${url}`, { sub: 'user-1', name: 'Ada' })),
        )
      }
      if (url === '/jwks') return answer(200, { keys: [{ ...jwk, kid, alg: 'RS256', use: 'sig' }] })
      if (!platform.isUp) {
        answer(503)
        return away()
      }
      if (url === '/token' && method === 'POST') return answer(200, await tokenFor(new URLSearchParams(body)))
      if (url === '/columns/7/lineitem/scores?type=3' && method === 'POST') {
        const isScore = headers['content-type'] === 'application/vnd.ims.lis.v1.score+json'
        if (!isScore || headers.authorization !== `Bearer ${granted}`) return answer(401)
        answer(204)
        return take(JSON.parse(body) as Score)
      }
      answer(404)
    }
    handle().catch((error: unknown) => answer(400, { error: String(error) }))
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const address = server.address()
  const issuer = `http://${host}:${typeof address === 'object' && address !== null ? address.port : 0}`
  const file = join(folder, 'lti.json')
  const registration = {
    issuer,
    clientId: CLIENT,
    deployments: [DEPLOYMENT],
    authUrl: `${issuer}/auth`,
    tokenUrl: `${issuer}/token`,
    jwksUrl: `${issuer}/jwks`,
    origins: [issuer],
  }
  writeFileSync(file, JSON.stringify({ platforms: [registration] }))

  const platform: Platform = {
    issuer,
    file,
    isUp: true,
    meets(origin, clock) {
      tool = origin
      now = clock
    },
    async authorize(to, person, { claims = {}, key = privateKey, alg = 'RS256', expires = 300 } = {}) {
      const { origin, pathname, searchParams: asked } = new URL(to)
      const expected = {
        scope: 'openid',
        response_type: 'id_token',
        response_mode: 'form_post',
        prompt: 'none',
        client_id: CLIENT,
        redirect_uri: `${tool}/lti/launch`,
        login_hint: 'hint',
        lti_message_hint: 'message',
      }
      for (const [name, value] of Object.entries(expected)) {
        if (asked.get(name) !== value) throw new Error(`${name} is ${asked.get(name)}`)
      }
      if (`${origin}${pathname}` !== registration.authUrl) throw new Error(`the tool asks ${to}`)
      const seconds = Math.floor(now() / 1000)
      const token = new SignJWT({
        iss: issuer,
        aud: CLIENT,
        nonce: asked.get('nonce') ?? '',
        iat: seconds,
        exp: seconds + expires,
        [`${CLAIM}/message_type`]: 'LtiResourceLinkRequest',
        [`${CLAIM}/version`]: '1.3.0',
        [`${CLAIM}/deployment_id`]: DEPLOYMENT,
        [`${CLAIM}/target_link_uri`]: `${tool}/`,
        [`${CLAIM}/resource_link`]: { id: 'place-1' },
        [`${CLAIM}/roles`]: ['http://purl.imsglobal.org/vocab/lis/v2/membership#Learner'],
        [`${CLAIM}/custom`]: { lab: 'big-tcp-ipv4' },
        'https://purl.imsglobal.org/spec/lti-ags/claim/endpoint': {
          scope: [SCORE_SCOPE],
          lineitem: `${issuer}/columns/7/lineitem?type=3`,
        },
        ...person,
        ...claims,
      }).setProtectedHeader({ alg, kid, typ: 'JWT' })
      return { id_token: await token.sign(key), state: asked.get('state') ?? '' }
    },
    nextScore() {
      const first = scores.shift()
      return first === undefined ? new Promise((resolve) => (wanted = resolve)) : Promise.resolve(first)
    },
    course: `${issuer}/course`,
    close: () => void server.close(),
    turnedAway: () => new Promise((resolve) => (away = resolve)),
  }
  return platform
}

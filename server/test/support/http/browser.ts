/** A browser: keeps cookies, sends the origin of its page, and does not follow redirects. */
import { errorBody } from '@expresslane/shared/base/errors'
import { me, type Me } from '@expresslane/shared/wire/room'
import { WebSocket } from 'ws'
import { ask, type Answer } from './server.ts'

export interface Browser {
  readonly cookies: Map<string, string>
  open(path: string): Promise<Answer>
  /** Follows a link on a page of another site: without the cookies, which are `SameSite=Strict`. */
  openFromElsewhere(path: string): Promise<Answer>
  /** Sends a form of another site's page, with the cookies: over https they are `SameSite=None` where pages are embedded. */
  postFromElsewhere(path: string, form: Readonly<Record<string, string>>): Promise<Answer>
  send(method: string, path: string, body?: object): Promise<Answer>
  /** The status of a response, and the error code of a refusal. */
  tries(method: string, path: string, body?: object): Promise<[number, string | null]>
  /** Null when it is not logged in. */
  me(): Promise<Me | null>
  /** Opens the stream. @returns a promise of the close code */
  stream(): Promise<{ readonly closed: Promise<number> }>
}

/** @param to the address that it connects to */
export function browser(port: number, host = `127.0.0.1:${port}`, to = '127.0.0.1'): Browser {
  const cookies = new Map<string, string>()
  const headers = (): Record<string, string> => ({
    host,
    origin: `http://${host}`,
    ...(cookies.size > 0 && { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') }),
  })

  function keep({ headers: given }: Answer): void {
    for (const line of given['set-cookie'] ?? []) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      if (value === '') cookies.delete(name)
      else cookies.set(name, value)
    }
  }

  async function send(method: string, path: string, body?: object): Promise<Answer> {
    const answer = await ask(port, path, {
      to,
      method,
      headers: { ...headers(), ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    })
    keep(answer)
    return answer
  }

  return {
    cookies,
    async open(path) {
      // A followed link has no Origin.
      const { origin: _, ...rest } = headers()
      const answer = await ask(port, path, { to, headers: { ...rest, accept: 'text/html' } })
      keep(answer)
      return answer
    },
    async openFromElsewhere(path) {
      const answer = await ask(port, path, {
        to,
        headers: { host, accept: 'text/html', 'sec-fetch-site': 'cross-site' },
      })
      keep(answer)
      return answer
    },
    async postFromElsewhere(path, form) {
      const answer = await ask(port, path, {
        to,
        method: 'POST',
        headers: {
          ...headers(),
          origin: 'https://lms.example',
          accept: 'text/html',
          'sec-fetch-site': 'cross-site',
          'content-type': 'application/x-www-form-urlencoded',
        },
        body: new URLSearchParams(form).toString(),
      })
      keep(answer)
      return answer
    },
    send,
    async tries(method, path, body) {
      const { status, text } = await send(method, path, body)
      return [status, status < 400 ? null : errorBody.parse(JSON.parse(text)).error.code]
    },
    async me() {
      const { status, text } = await send('GET', '/api/me')
      return status === 200 ? me.parse(JSON.parse(text)) : null
    },
    stream() {
      const { promise, resolve, reject } = Promise.withResolvers<{ readonly closed: Promise<number> }>()
      const socket = new WebSocket(`ws://${to.includes(':') ? `[${to}]` : to}:${port}/api/stream`, {
        headers: headers(),
      })
      const closed = Promise.withResolvers<number>()
      socket.on('message', () => resolve({ closed: closed.promise }))
      socket.on('close', closed.resolve)
      socket.on('error', reject)
      return promise
    },
  }
}

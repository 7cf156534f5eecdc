/** The real server on a real socket, with fake testbeds. Tests control all headers of a request. */
import { request as httpRequest, type IncomingHttpHeaders } from 'node:http'
import { onTestFinished } from 'vitest'
import type { Config } from '../../../src/config.ts'
import { serve, type Serving } from '../../../src/serve.ts'
import { dataDir, testConfig, type RigOptions } from '../deps.ts'
import { fakeOutside } from '../fakes/fake-outside.ts'
import type { FakeTestbed } from '../fakes/fake-testbed.ts'

export interface Answer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly text: string
}

export interface Asked {
  /** The address to connect to. @defaultValue `127.0.0.1` */
  readonly to?: string
  readonly method?: string
  readonly headers?: Record<string, string>
  readonly body?: string
}

/** Sends the path unchanged, with only the given headers and Host. */
export function ask(
  port: number,
  path: string,
  { to: host = '127.0.0.1', method = 'GET', headers = {}, body }: Asked = {},
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const request = httpRequest({ host, port, path, method, headers, agent: false }, (response) => {
      let text = ''
      response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk))
      response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, text }))
    })
    request.on('error', reject).end(body)
  })
}

export interface TestServer extends Serving {
  readonly data: string
  readonly fakes: FakeTestbed[]
  ask(path: string, asked?: Asked): Promise<Answer>
  /** A request with the token. */
  call(path: string, asked?: Asked): Promise<Answer>
}

export interface ServerOptions extends RigOptions {
  readonly env?: Record<string, string>
  /** Configuration that no variable of the environment sets. */
  readonly config?: Partial<Config>
}

/** Serves until the test has finished or stops it. */
export async function startServer({
  data = dataDir(),
  env = {},
  config = {},
  ...options
}: ServerOptions = {}): Promise<TestServer> {
  const { outside, fakes } = fakeOutside(options)
  const serving = await serve({ ...testConfig(data, env), ...config }, outside)
  onTestFinished(() => serving.stop())
  const { port, token } = serving
  return {
    ...serving,
    data,
    fakes,
    ask: (path, asked) => ask(port, path, asked),
    call: (path, asked = {}) =>
      ask(port, path, { ...asked, headers: { authorization: `Bearer ${token}`, ...asked.headers } }),
  }
}

/** curl: opens a page, and reports both ends of the connection and the client that the server saw. */
import { z } from 'zod'
import { readOutput, type Described } from '../read-output.ts'

/** After the page: the lines that {@link parsePage} reads. The labs' pages (`page.ts`) have these headers. */
const AFTER = String.raw`\n%header{client-address} %header{client-port}\n%{json}`

/**
 * Opens a page once, without a proxy. It ends with an exit code other than 0 if no answer comes in time.
 *
 * @param address of either family
 */
export function curlArgv(address: string, port: number, seconds: number): string[] {
  const host = address.includes(':') ? `[${address}]` : address
  const quiet = ['--silent', '--show-error', '--noproxy', '*', '--max-time', String(seconds)]
  return ['curl', ...quiet, '--write-out', AFTER, `http://${host}:${port}/`]
}

const printed = z.object({
  http_code: z.number().int(),
  exitcode: z.number().int(),
  local_ip: z.string(),
  local_port: z.number().int(),
  remote_ip: z.string(),
  remote_port: z.number().int(),
  time_total: z.number(),
})

const output: Described = {
  name: 'The output of curl',
  remedy: 'curl 7.84 and newer print what this step reads: see curl --version.',
}

/** An end of a TCP connection. */
export interface Endpoint {
  readonly address: string
  readonly port: number
}

export interface OpenedPage {
  /** HTTP's; null if no answer came. */
  readonly status: number | null
  /** The page as it came. */
  readonly text: string
  /** The connection as the client has it; null if there was none. */
  readonly local: Endpoint | null
  readonly remote: Endpoint | null
  /** The client as the server sees it; null if the server does not say. */
  readonly seen: Endpoint | null
  readonly seconds: number
}

const endpoint = (address: string, port: number): Endpoint | null => (address === '' ? null : { address, port })

/** Reads the output of {@link curlArgv}. @throws LabError `tool_output_unreadable` */
export function parsePage(lines: readonly string[]): OpenedPage {
  const json = lines.at(-1) ?? ''
  const [, address = '', port = ''] = /^(\S+) (\d+)$/.exec(lines.at(-2) ?? '') ?? []
  const read = readOutput(printed, json, output)
  return {
    status: read.http_code === 0 ? null : read.http_code,
    text: lines.slice(0, -2).join('\n').trimEnd(),
    local: endpoint(read.local_ip, read.local_port),
    remote: endpoint(read.remote_ip, read.remote_port),
    seen: endpoint(address, Number(port)),
    seconds: read.time_total,
  }
}

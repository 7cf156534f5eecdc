/**
 * The page that a lab opens: the native helper serves it. No web server is on a bare Debian, and Python or Node in the counted
 * machine would be larger than all else in it together.
 */
import { argv } from '../nodeport/argv.ts'

export interface Page {
  /** An address of the only family that the server speaks. */
  readonly address: string
  readonly port: number
  /** Its heading, such as `You've reached an IPv6-only page`. */
  readonly title: string
}

/** Serves until SIGTERM. A line for each request names the client. */
export const pageArgv = ({ address, port, title }: Page): string[] => argv('page', { address, port, title })

/** The text of the page, a line for each of its parts. */
export function visibleWords(html: string): string {
  const body = html.replace(/<title>.*?<\/title>/s, '')
  const lines = body.split('\n').map((line) => line.replaceAll(/<[^>]*>/g, '').trim())
  return lines.filter((line) => line !== '').join('\n')
}

/** How its line begins once it listens. */
export const isPageReady = (line: string): boolean => line.startsWith('{"type":"ready","of":"page"')

/** Reads the answers on a connection with several outstanding requests, which Node's own client can't do. Pure. */

export interface Answer {
  readonly status: number
  /** The beginning of the body. */
  readonly start: string
}

const HEAD_END = '\r\n\r\n'
/** Characters of a body that are kept: an error's code is among the first. */
const ENOUGH = 200

interface Found {
  /** The body, or the first chunk of a chunked body. */
  readonly start: string
  /** The position at which the next answer begins. */
  readonly next: number
}

/** RFC 9112, 7.1, without trailers. @returns null while chunks are missing */
function chunked(text: string, from: number): Found | null {
  let start: string | null = null
  for (let at = from; ;) {
    const line = text.indexOf('\r\n', at)
    if (line === -1) return null
    const size = Number.parseInt(text.slice(at, line), 16)
    const body = line + 2
    const next = body + size + 2
    if (text.length < next) return null
    start ??= text.slice(body, body + size)
    if (size === 0) return { start, next }
    at = next
  }
}

function sized(text: string, from: number, length: number): Found | null {
  const next = from + length
  return text.length < next ? null : { start: text.slice(from, next), next }
}

/** @returns null until the answer is whole. @throws Error for text that is no answer */
function firstOf(text: string): { readonly answer: Answer; readonly next: number } | null {
  const end = text.indexOf(HEAD_END)
  if (end === -1) return null
  const head = text.slice(0, end)
  const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(head)?.[1])
  if (Number.isNaN(status)) throw new Error(`no answer: ${head.slice(0, ENOUGH)}`)
  const from = end + HEAD_END.length
  const isChunked = /^transfer-encoding: *chunked$/im.test(head)
  const length = Number(/^content-length: *(\d+)$/im.exec(head)?.[1] ?? 0)
  const found = isChunked ? chunked(text, from) : sized(text, from, length)
  return found === null ? null : { answer: { status, start: found.start.slice(0, ENOUGH) }, next: found.next }
}

/** @returns takes bytes as they arrive, and returns the answers that are whole then */
export function answerReader(): (bytes: Buffer) => Answer[] {
  let text = ''
  return (bytes) => {
    // A character a byte, because lengths are in bytes.
    text += bytes.toString('latin1')
    const answers: Answer[] = []
    for (let found = firstOf(text); found !== null; found = firstOf(text)) {
      answers.push(found.answer)
      text = text.slice(found.next)
    }
    return answers
  }
}

/** The name under which an answer is counted: `202`, `409 queue_full`. */
export function nameOf({ status, start }: Answer): string {
  const code = status < 400 ? undefined : /"code":"(\w+)"/.exec(start)?.[1]
  return code === undefined ? `${status}` : `${status} ${code}`
}

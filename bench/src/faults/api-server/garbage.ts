/** Answers of a broken API server, or of a program that is none. */
import type { ServerResponse } from 'node:http'

const json = 'application/json'

/** As bodies of a 200. */
const bodies: readonly (readonly [type: string, body: string])[] = [
  ['text/html', '<!doctype html><title>Sign in</title><p>This network asks you to sign in.'],
  [json, '{"kind":"PodList","apiVersion":"v1","items":[{"meta'],
  [json, '{}'],
  [json, 'null'],
  [json, '[1,2,3]'],
  [json, '"items"'],
  [json, '{"kind":"PodList","apiVersion":"v1","metadata":{"resourceVersion":7},"items":"none"}'],
  [json, '{"kind":"Pod","apiVersion":"v1","metadata":null,"spec":[],"status":0,"items":[null,1,{}],"data":[]}'],
  [json, '{"kind":"PodList","metadata":{"resourceVersion":"7"},"items":[{"metadata":{"name":"one","uid":"two"}}]}'],
  [json, '{"kind":"Namespace","apiVersion":"v1","metadata":{"name":"another","uid":"two"}}'],
  ['application/octet-stream', '\u0000\u0001\u0002\uFFFF\u0007\u001B[2J'],
  [json, ''],
]

/** Bytes that are no HTTP, no WebSocket frame, and no line of a watch. */
export const NOISE = Buffer.from('\u0000\uFFFD{"type":"ADDED","object":{"metadata":7}}\n}{\n\u0007', 'utf8')

export function answerGarbage(answer: ServerResponse, random: () => number): void {
  const chosen = Math.floor(random() * (bodies.length + 1))
  const body = bodies[chosen]
  if (body === undefined) {
    // Not even HTTP.
    answer.socket?.end(NOISE)
    return
  }
  answer.writeHead(200, { 'content-type': body[0] })
  answer.end(body[1])
}

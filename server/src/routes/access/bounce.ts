/**
 * A link that was followed on another site arrives without this server's cookie, which is `SameSite=Strict`. So it is
 * answered with a page that opens the same address again: that request comes from this server's own page, with the
 * cookie, and a login that the browser has is seen.
 */
import type { FastifyReply, FastifyRequest } from 'fastify'

/** Marks the second request, so that no browser goes around in circles. */
const AGAIN = '?again'

/** The address stays relative: the page holds no code. It loads nothing, and helmet forbids a Referer. */
function page(refresh: string): string {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8">${refresh}<title>Expresslane</title></head><body><a href="${AGAIN}">Continue</a></body></html>`
}

export function isFromOtherSite({ headers }: FastifyRequest): boolean {
  return headers['sec-fetch-site'] === 'cross-site'
}

/** Answers a link from another site. A second time in a row it waits for a click. */
export function openAgain({ url }: FastifyRequest, reply: FastifyReply): FastifyReply {
  const refresh = url.endsWith(AGAIN) ? '' : `<meta http-equiv="refresh" content="0; url=${AGAIN}">`
  return reply.header('cache-control', 'no-store').type('text/html; charset=utf-8').send(page(refresh))
}

/** Takes the secrets out of an address: a logged address names no code and no token. */

/** How often an address may be encoded. An address that is still encoded after that is not logged. */
const MOST_ROUNDS = 4

/** Decodes the valid escapes, and leaves the rest. */
function decoded(text: string): string {
  return text.replaceAll(/(?:%[0-9a-f]{2})+/gi, (part) => {
    try {
      return decodeURIComponent(part)
    } catch {
      return part.replaceAll(/%([0-7][0-9a-f])/gi, (_whole, hex: string) => String.fromCodePoint(parseInt(hex, 16)))
    }
  })
}

/** The address without any encoding, in lower case; null when it is encoded many times over. */
function plain(url: string): string | null {
  let text = url
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    const next = decoded(text)
    if (next === text) return text.toLowerCase()
    text = next
  }
  return null
}

/** The addresses of the API and of the page, which hold no secret. */
const HARMLESS =
  /^\/(?:api\/(?!join\b)[^?]*(?:\?.*)?|api\/join|(?:assets|labs|runs)\/[^?]*|compare(?:\?.*)?|[a-z-]+\.[a-z0-9.]+|bench|history|follow|join|room|room\/audit|healthz|readyz|metrics|)$/

/** The part of an address that holds no secret. Anything that could be a link with a token or a code is cut off, in any spelling. */
export function withoutSecrets(url: string): string {
  const text = plain(url)
  if (text === null) return '…'
  if (/token|(^|[^a-z])open([^a-z]|$)/.test(text)) return '/open…'
  const code = /(?:^|[^a-z0-9])([fj])[/\\]/.exec(text)?.[1]
  if (code !== undefined) return `/${code}/…`
  return HARMLESS.test(text) && !text.includes('code=') ? url : '…'
}

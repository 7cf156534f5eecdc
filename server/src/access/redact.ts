/** Takes the secrets out of an address: what is logged names no code and no token. */
export function withoutSecrets(url: string): string {
  return url.replaceAll(/(\/(?:f|j|%66|%6a)\/)[^?&]*/gi, '$1…').replaceAll(/([?&]token=)[^&]*/gi, '$1…')
}

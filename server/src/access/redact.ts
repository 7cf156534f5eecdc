/** Takes the secrets out of an address: what is logged names no code and no token. */
export function withoutSecrets(url: string): string {
  return url.replace(/^(\/+(?:f|j|%66|%6a)\/).*/i, '$1…').replaceAll(/([?&]token=)[^&]*/gi, '$1…')
}

/** The recordings that come with Expresslane, as tests change them. */
import { parseRecording, type Recording } from '@expresslane/shared/recordings/recording'
import type { App } from './app.ts'

/** The recording of the IPv4 lab. */
export async function shipped(app: App): Promise<Recording> {
  return parseRecording(await app.text('/api/recordings/big-tcp-ipv4'))
}

/** The recordings that come with Expresslane, as tests change them. */
import { recording, RECORDING_VERSION, type Recording } from '@expresslane/shared/recordings/recording'
import { upgradeEvent } from '@expresslane/shared/recordings/upgrade'
import { z } from 'zod'
import type { App } from './app.ts'

const anyVersion = z.looseObject({ runs: z.array(z.looseObject({ events: z.array(z.looseObject({})) })) })

/** The recording of the IPv4 lab. The server sends the original file, which is read as the current version. */
export async function shipped(app: App): Promise<Recording> {
  const made = anyVersion.parse(await app.get('/api/recordings/big-tcp-ipv4'))
  const runs = made.runs.map((run) => ({
    ...run,
    events: run.events.map((one) => ({ ...one, event: upgradeEvent(one['event']) })),
  }))
  return recording.parse({ ...made, version: RECORDING_VERSION, runs })
}

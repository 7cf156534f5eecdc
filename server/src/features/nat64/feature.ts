import { translatorIn } from '@expresslane/shared/features/nat64/settings'
import { answers, translatorPhrase } from '@expresslane/shared/features/nat64/translators'
import type { Settings } from '@expresslane/shared/base/settings'
import type { ServerFeature } from '../feature.ts'
import { driver } from './driver.ts'
import { observe } from './observe.ts'
import { probes } from './probes/index.ts'
import { watchGateway } from './watch.ts'
import { gateway } from './topology.ts'

const words = (settings: Settings): string => translatorPhrase[translatorIn(settings)]

export const nat64 = {
  id: 'nat64',
  observe,
  observeCapture: null,
  topology: gateway,
  drivers: [driver],
  watch: watchGateway,
  probes,
  sentences: {
    verified: ({ settings }) => `The gateway works ${words(settings)}.`,
    notVerified: ({ settings }) => `The gateway does not work ${words(settings)}`,
    switched: ({ settings }) => `The next gateway works ${words(settings)}. One that exists keeps what it has.`,
    carried: (_families, { carried }) => {
      const answered = answers(translatorIn(carried)) ? 'answers' : 'does not answer'
      return `The gateway works ${words(carried)}. The server ${answered} the client.`
    },
  },
} as const satisfies ServerFeature

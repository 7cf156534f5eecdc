import { translatorIn } from '@expresslane/shared/features/nat64/settings'
import { answers, translatorPhrase } from '@expresslane/shared/features/nat64/translators'
import type { Settings } from '@expresslane/shared/base/settings'
import type { ProbeId } from '@expresslane/shared/features/nat64/probes'
import type { RunProbe, ServerFeature } from '../feature.ts'
import { podSettings } from './pod-settings.ts'
import { observe } from './observe.ts'
import { largePackets } from './probes/large-packets.ts'
import { names } from './probes/names.ts'
import { ipv4Page, ipv6Page } from './probes/pages.ts'
import { watchGateway } from './watch.ts'
import { gateway } from './topology.ts'

const words = (settings: Settings): string => translatorPhrase[translatorIn(settings)]

/** By id. */
const probes: Readonly<Record<ProbeId, RunProbe>> = {
  names,
  'ipv4-page': ipv4Page,
  'ipv6-page': ipv6Page,
  'large-packets': largePackets,
}

export const nat64 = {
  id: 'nat64',
  observe,
  observeCapture: null,
  topology: gateway,
  podSettings: [podSettings],
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

/** The translator on the gateway, as a setting. A new value is for the next pods, which get a gateway of their own. */
import { i18n } from '../../base/language.ts'
import type { Clock } from '../../measure/clock.ts'
import type { Settings } from '../../base/settings.ts'
import type { ArmName, Setting } from '../feature.ts'
import {
  capabilityOfTranslator,
  translator,
  translatorName,
  translatorPhrase,
  USUAL_TRANSLATOR,
  type Translator,
} from './translators.ts'

export const TRANSLATOR = 'translator'

/** The translator in these settings; the usual one if none is set. */
export function translatorIn(settings: Settings): Translator {
  return translator.catch(USUAL_TRANSLATOR).parse(settings[TRANSLATOR])
}

/** On the counted machine, most of it the kernel's check of the BPF program. */
const countedSeconds: Readonly<Record<Translator, number>> = {
  native: 1,
  none: 1,
  tayga: 1,
  'bpf-stateless': 11,
  'bpf-stateful': 11,
}

/** Elsewhere new pods take the usual time. */
export function extraSeconds(of: Settings, clock: Clock): number {
  return clock === null ? 0 : countedSeconds[translatorIn(of)]
}

export const settings = [
  {
    id: TRANSLATOR,
    label: /*i18n*/ 'Translator',
    schema: translator,
    off: USUAL_TRANSLATOR,
    capability: null,
    capabilityOf: (value) => {
      const { data } = translator.safeParse(value)
      return data === undefined ? null : capabilityOfTranslator[data]
    },
    format: (value) => i18n.t(translatorName[translator.catch(USUAL_TRANSLATOR).parse(value)]),
    control: { kind: 'choice', options: translator.options.map((one) => [one, translatorName[one]] as const) },
    explained: [
      [/*i18n*/ 'Native', /*i18n*/ 'the gateway routes both families, and nothing is translated.'],
      [/*i18n*/ 'No translator', /*i18n*/ 'packets are routed to the translator’s device, where nobody takes them.'],
      [
        'tayga',
        /*i18n*/ 'a process in user space: the kernel hands it each packet, and gets it back in the other family.',
      ],
      [/*i18n*/ 'BPF, stateless', /*i18n*/ 'a program in the kernel; each address stands for one of the other family.'],
      [
        /*i18n*/ 'BPF, stateful',
        /*i18n*/ 'the same program; clients share one address, and it keeps a session for each connection.',
      ],
    ],
  },
] as const satisfies readonly Setting[]

/** `bpf-stateless`, `BPF, stateless`. */
export function nameArm(of: Settings): ArmName {
  const id = translatorIn(of)
  return { id, label: i18n.t(translatorName[id]) }
}

/** `with the stateless BPF program`. */
export function phrase(of: Settings): string {
  return i18n.t(translatorPhrase[translatorIn(of)])
}

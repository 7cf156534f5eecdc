/** The translators between IPv4 and IPv6 that a gateway can have. */
import { z } from 'zod'
import type { Capability } from '../../testbed/testbed.ts'

/**
 * - `native`: nothing is translated; the gateway routes both families from end to end
 * - `none`: the translator's device is there, and nobody translates the packets that the kernel sends to it
 * - `tayga`: a process in user space, stateless
 * - `bpf-stateless`: a BPF program; each address stands for an address of the other family
 * - `bpf-stateful`: the same program; clients share one address, and ports lead to services
 */
export const translator = z.enum(['native', 'none', 'tayga', 'bpf-stateless', 'bpf-stateful'])
export type Translator = z.infer<typeof translator>

/** The translator of a gateway unless a lab or a person chose another. */
export const USUAL_TRANSLATOR: Translator = 'native'

export const translatorName: Readonly<Record<Translator, string>> = {
  native: /*i18n*/ 'Native',
  none: /*i18n*/ 'No translator',
  tayga: 'tayga',
  'bpf-stateless': /*i18n*/ 'BPF, stateless',
  'bpf-stateful': /*i18n*/ 'BPF, stateful',
}

/** Within a sentence. */
export const translatorPhrase: Readonly<Record<Translator, string>> = {
  native: /*i18n*/ 'without translation',
  none: /*i18n*/ 'with no translator',
  tayga: /*i18n*/ 'with tayga',
  'bpf-stateless': /*i18n*/ 'with the stateless BPF program',
  'bpf-stateful': /*i18n*/ 'with the stateful BPF program',
}

/** The capability that a translator needs. */
export const capabilityOfTranslator: Readonly<Record<Translator, Capability>> = {
  native: 'translator',
  none: 'translator',
  tayga: 'translator-tayga',
  'bpf-stateless': 'translator-bpf',
  'bpf-stateful': 'translator-bpf',
}

export type BpfTranslator = Extract<Translator, `bpf-${string}`>

/** Whether a BPF program translates. */
export function isBpf(of: Translator): of is BpfTranslator {
  return of === 'bpf-stateless' || of === 'bpf-stateful'
}

/** Whether packets of one family leave the gateway as packets of the other family. */
export function translates(of: Translator): boolean {
  return of === 'tayga' || isBpf(of)
}

/** Whether the server answers the client. */
export function answers(of: Translator): boolean {
  return of !== 'none'
}

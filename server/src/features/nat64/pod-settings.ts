/** Puts a translator on the gateway of new pods, proves that it works, and reads it back from the kernel. */
import { TRANSLATOR_DEVICE } from '@expresslane/shared/features/nat64/places'
import { GATEWAY } from '@expresslane/shared/features/nat64/roles'
import { TRANSLATOR, translatorIn } from '@expresslane/shared/features/nat64/settings'
import {
  answers,
  translatorName,
  type BpfTranslator,
  type Translator,
} from '@expresslane/shared/features/nat64/translators'
import { SERVER } from '@expresslane/shared/testbed/placement'
import { assertNever, LabError } from '@expresslane/shared/base/errors'
import { ipBatchArgv } from '../../tools/ipvs.ts'
import { echoArgv } from '../../tools/nodeport/argv.ts'
import { isTranslateReady, translateArgv, translateInput } from '../../tools/nodeport/translate.ts'
import { isTaygaReady, taygaArgv, taygaConfig } from '../../tools/tayga.ts'
import type { Pods, PodSettings } from '../feature.ts'
import { callBoth, type Answered } from './calls.ts'
import {
  ECHO_PORT,
  makeDevice,
  nativeBatches,
  portRange,
  redirectsFile,
  rulesOf,
  tayga,
  useDevice,
} from './commands.ts'
import { hooksOf } from './hooks.ts'
import { readGateway, translatorRead, type GatewayRead } from './reading.ts'

const READY = '{"type":"ready"'

/** tayga opens /dev/net/tun, which only root may where no udev says otherwise. */
async function startTayga(pods: Pods): Promise<void> {
  const held = { argv: taygaArgv(TRANSLATOR_DEVICE), input: taygaConfig(tayga), isReady: isTaygaReady }
  try {
    await pods.hold(`net:${GATEWAY}`, held)
  } catch (error) {
    if (!(error instanceof LabError) || error.code !== 'testbed_unavailable') throw error
    await pods.hold(GATEWAY, held)
  }
  await pods.feed(GATEWAY, { argv: ipBatchArgv, input: useDevice })
}

async function makeVeth(pods: Pods): Promise<void> {
  await pods.feed(GATEWAY, { argv: ipBatchArgv, input: makeDevice })
  await pods.feed(GATEWAY, { argv: ['tee', redirectsFile], input: '0\n' })
  await pods.feed(GATEWAY, { argv: ipBatchArgv, input: useDevice })
}

async function startProgram(translator: BpfTranslator, pods: Pods): Promise<void> {
  await makeVeth(pods)
  await pods.hold(`net:${GATEWAY}`, {
    argv: translateArgv(TRANSLATOR_DEVICE),
    input: translateInput(rulesOf(translator)),
    isReady: isTranslateReady,
  })
}

async function make(translator: Translator, pods: Pods): Promise<void> {
  switch (translator) {
    case 'native':
      await pods.feed(GATEWAY, { argv: ipBatchArgv, input: nativeBatches.gateway })
      return pods.feed(SERVER, { argv: ipBatchArgv, input: nativeBatches.server })
    case 'none':
      return makeVeth(pods)
    case 'tayga':
      return startTayga(pods)
    case 'bpf-stateless':
    case 'bpf-stateful':
      return startProgram(translator, pods)
    default:
      return assertNever(translator)
  }
}

function wrongAnswers(translator: Translator, wanted: boolean, { ipv4, ipv6 }: Answered): LabError {
  const words = (answered: boolean): string => (answered ? 'answered' : 'not answered')
  return new LabError(
    'datapath_not_taken',
    `With “${translatorName[translator]}” calls from client to server must be ${words(wanted)}: over IPv4 they are ${words(ipv4)}, over IPv6 ${words(ipv6)}.`,
    'Run the step again. If that does not help, press Reset to remove the pods, and start again.',
  )
}

/** @throws LabError `datapath_not_taken` if it does not translate, or if something does where nothing is to */
async function set(translator: Translator, pods: Pods): Promise<void> {
  // The services of a stateful translator are for these ports.
  await pods.feed(SERVER, { argv: ['tee', portRange.file], input: portRange.text })
  await pods.hold(SERVER, { argv: echoArgv(ECHO_PORT), isReady: (line) => line.startsWith(READY) })
  await make(translator, pods)
  const wanted = answers(translator)
  const found = await callBoth(wanted, pods)
  if (found.ipv4 !== wanted || found.ipv6 !== wanted) throw wrongAnswers(translator, wanted, found)
}

/** The reading of these pods' gateway, which `read` and `readHooks` share. */
const gatewaysRead = new WeakMap<Pods, Promise<GatewayRead>>()

function gatewayOf(pods: Pods): Promise<GatewayRead> {
  const gateway = gatewaysRead.get(pods) ?? readGateway(pods)
  gatewaysRead.set(pods, gateway)
  return gateway
}

export const podSettings: PodSettings = {
  settings: [TRANSLATOR],
  set: (values, pods) => set(translatorIn(values), pods),
  read: async (pods) => ({ [TRANSLATOR]: translatorRead(await gatewayOf(pods)) }),
  async readHooks(pods) {
    const gateway = await gatewayOf(pods)
    return hooksOf(gateway, await callBoth(answers(translatorRead(gateway)), pods))
  },
}

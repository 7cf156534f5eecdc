/** A prerequisite of BIG TCP is switched off on one node of the real cluster: the agent refuses, and all is restored. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { note, progressLine } from '../contract/contract-kit.ts'
import { MAY_BREAK, UNDO } from '../../src/testbeds/kubernetes/datapath/settings.ts'
import { newIdentity } from '../../src/testbeds/kubernetes/lease/holder.ts'
import { tryPatch } from '../../src/testbeds/kubernetes/switch/data.ts'
import { setDatapath, type SwitchParts } from '../../src/testbeds/kubernetes/switch/switch.ts'
import { trySettings } from '../../src/testbeds/kubernetes/switch/try-settings.ts'
import type { TrySettings } from '../../src/testbeds/testbed.ts'
import { reasonIn } from '../../src/tools/cilium-log.ts'
import { keyed } from '../testbeds/kubernetes/keys.ts'
import { canFault, ciliumConfig, fault, kubectl, podsOf } from './support/kubectl.ts'
import { realParts } from './support/parts.ts'

const parts: SwitchParts = { ...realParts('expresslane-try'), identity: newIdentity() }
const off = keyed({ ipv4: false, ipv6: false })
const tried: TrySettings = {
  node: 'kind-worker',
  data: { 'enable-host-legacy-routing': 'true', 'enable-ipv4-big-tcp': 'true' },
  about: /host routing/,
}
const MAP = ['-n', 'kube-system', 'configmap', 'cilium-config'] as const
let found: Readonly<Record<string, string>>

const agents = async (): Promise<string[]> => [...(await podsOf('kube-system', 'k8s-app=cilium')).values()]

async function allow(isAllowed: boolean): Promise<void> {
  const [flag, namespace, kind, name] = MAP
  await kubectl(
    flag,
    namespace,
    'annotate',
    kind,
    name,
    isAllowed ? `${MAY_BREAK}=true` : `${MAY_BREAK}-`,
    '--overwrite',
  )
}

async function annotations(): Promise<string> {
  const [flag, namespace, kind, name] = MAP
  return kubectl(flag, namespace, 'get', kind, name, '-o', 'jsonpath={.metadata.annotations}')
}

beforeAll(async () => {
  await setDatapath(parts, off, note())
  await allow(false)
  found = await ciliumConfig()
})
afterAll(async () => {
  await setDatapath(parts, off, note())
  await allow(false)
})

it('changes nothing while nobody has allowed it', async () => {
  const before = await agents()
  const context = note()
  expect(await trySettings(parts, tried, context)).toMatchObject({
    kind: 'denied',
    why: expect.stringContaining(MAY_BREAK) as string,
  })
  expect(await agents()).toEqual(before)
  expect(await ciliumConfig()).toEqual(found)
})

it('restarts one agent alone, keeps its refusal, and restores the settings', async () => {
  await allow(true)
  const before = await agents()
  const context = note()
  const answer = await trySettings(parts, tried, context)
  expect(answer).toMatchObject({ kind: 'refused' })
  const lines = answer.kind === 'refused' ? answer.lines : []
  expect(reasonIn(lines)).toBe('BIG TCP is not supported with legacy host routing')
  expect(await ciliumConfig()).toEqual(found)
  expect(await annotations()).not.toContain(UNDO)
  expect((await agents()).filter((uid) => before.includes(uid))).toHaveLength(before.length - 1)
  // The restored agents have answered; a switch to the same has nothing left to do.
  const again = note()
  await setDatapath(parts, off, again)
  expect(again.events.filter((event) => event.type === 'command.started' && /patch|delete/.test(event.typed))).toEqual(
    [],
  )
})

it('is restored by a cancel', async () => {
  const abort = new AbortController()
  const reason = new Error('called off')
  const context = note(abort.signal)
  const watching = {
    signal: context.signal,
    emit(event: Parameters<typeof context.emit>[0]) {
      context.emit(event)
      if (/^kind-worker: (starting|its )/.test(progressLine(event) ?? '')) abort.abort(reason)
    },
  }
  await expect(trySettings(parts, tried, watching)).rejects.toBe(reason)
  expect(await ciliumConfig()).toEqual(found)
  expect(await annotations()).not.toContain(UNDO)
})

it('is restored by the next switch of anybody, if its Expresslane was killed', async () => {
  const { patch } = tryPatch(tried.data, { map: { data: { ...found } } })
  const [flag, namespace, kind, name] = MAP
  await kubectl(flag, namespace, 'patch', kind, name, '--type=merge', '-p', JSON.stringify(patch))
  await expect(trySettings(parts, tried, note())).rejects.toMatchObject({ code: 'step_not_ready' })
  await setDatapath(parts, off, note())
  expect(await ciliumConfig()).toEqual(found)
  expect(await annotations()).not.toContain(UNDO)
})

it.skipIf(!canFault)('is restored by the next switch, if the API server vanishes in the try', async () => {
  await allow(true)
  const context = note()
  const cuts: Promise<void>[] = []
  const watching = {
    signal: context.signal,
    emit(event: Parameters<typeof context.emit>[0]) {
      context.emit(event)
      if (/^kind-worker: (starting|its )/.test(progressLine(event) ?? '') && cuts.length === 0) {
        cuts.push(fault('E2E_API_CUT'))
      }
    },
  }
  try {
    await expect(trySettings(parts, tried, watching)).rejects.toMatchObject({
      code: 'cluster_unreachable',
      remedy: expect.stringMatching(/./) as string,
    })
    await Promise.all(cuts)
    expect(cuts).toHaveLength(1)
  } finally {
    await fault('E2E_API_HEAL')
  }
  // Its agent refuses the settings until they are restored.
  expect(await annotations()).toContain(UNDO)
  await setDatapath(parts, off, note())
  expect(await ciliumConfig()).toEqual(found)
  expect(await annotations()).not.toContain(UNDO)
})

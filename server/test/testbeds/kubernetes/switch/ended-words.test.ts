/** The words of an agent that ended, whenever its log is read. */
import type { V1Pod } from '@kubernetes/client-node'
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { wordsOfEnded } from '../../../../src/testbeds/kubernetes/switch/refusal.ts'
import type { Ended } from '../../../../src/testbeds/kubernetes/switch/rollout.ts'
import { answering } from '../fake-api.ts'

const whole = readFileSync(new URL('../../../fixtures/kubernetes/rollout/refused.txt', import.meta.url), 'utf8').trim()
const lines = whole.split('\n')
const fatal = lines.at(-1) ?? ''
/** An error that names BIG TCP precedes the fatal line by two. */
const early = lines.slice(0, -1).join('\n')
const option = 'time="2026-11-21T07:53:01Z" level=info msg="  --enable-ipv4-big-tcp=\'true\'" subsys=daemon'
const again = ['time="2026-11-21T07:53:01Z" level=info msg="Memory available"', option].join('\n')

/** @param previous null if the container has not run before */
async function words(current: string, previous: string | null, ended: Partial<Ended> = {}): Promise<string[]> {
  const cluster = await answering((request, response) => {
    const wanted = new URL(request.url ?? '', 'http://a').searchParams.get('previous') === 'true'
    if (wanted && previous === null) {
      response.writeHead(400, { 'content-type': 'application/json' })
      const message = 'previous terminated container "cilium-agent" in pod "a" not found'
      response.end(JSON.stringify({ kind: 'Status', apiVersion: 'v1', status: 'Failure', message, code: 400 }))
      return
    }
    response.writeHead(200, { 'content-type': 'text/plain' })
    response.end(wanted ? previous : current)
  })
  const pod: V1Pod = { metadata: { name: 'a', namespace: 'kube-system', uid: 'u' } }
  const run = {
    id: 'i',
    container: 'cilium-agent',
    previous: false,
    exitCode: 1,
    reason: 'Error',
    message: '',
    ...ended,
  }
  return wordsOfEnded(cluster, pod, run, AbortSignal.timeout(10_000))
}

test('an agent’s last words are the fatal line of its log', async () => {
  expect(await words(whole, null)).toEqual([fatal])
})

test('the last words come from the termination message while the log has not got to the end', async () => {
  expect(await words(early, null, { message: `ut\n${fatal}` })).toEqual([fatal])
})

test('the last words come from the log before, once the container runs again', async () => {
  expect(await words(again, whole)).toEqual([fatal])
  expect(await words(early, whole)).toEqual([fatal])
})

test('the last words are whatever text there is, if no log has an end', async () => {
  expect(await words(early, null)).toEqual([expect.stringContaining('level=error')])
  expect(await words('', null, { message: 'out of memory', reason: 'OOMKilled' })).toEqual(['out of memory'])
})

test('last words of an earlier run do not count for a killed run', async () => {
  expect(await words(again, whole, { reason: 'OOMKilled' })).toEqual(again.split('\n'))
})

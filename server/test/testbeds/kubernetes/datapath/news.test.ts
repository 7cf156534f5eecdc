import type { V1ObjectMeta, V1Pod, V1PodStatus } from '@kubernetes/client-node'
import { expect, test } from 'vitest'
import { podNews } from '../../../../src/testbeds/kubernetes/datapath/changes.ts'
import { createNews } from '../../../../src/testbeds/kubernetes/datapath/news.ts'
import { recordedWorkloadPods } from '../recorded.ts'

function kit() {
  const abort = new AbortController()
  const news = createNews(abort.signal)
  return { abort, news }
}

test('notifications before a wait count as one', async () => {
  const { news } = kit()
  news.notify()
  news.notify()
  await news.wait()
  const next = news.wait().then(() => 'notified')
  expect(await Promise.race([next, new Promise((resolve) => setImmediate(resolve, 'waits'))])).toBe('waits')
  news.notify()
  expect(await next).toBe('notified')
})

test('a notification between two waits is never lost', async () => {
  const { news } = kit()
  for (let index = 0; index < 100; index += 1) {
    const asked = news.wait()
    news.notify()
    await asked
    news.notify()
    await news.wait()
  }
})

test('rejects with the reason when aborted, and with the first error', async () => {
  const aborted = kit()
  const waiting = aborted.news.wait()
  aborted.abort.abort(new Error('enough'))
  await expect(waiting).rejects.toThrow('enough')

  const failed = kit()
  failed.news.fail(new Error('the first'))
  failed.news.fail(new Error('the second'))
  await expect(failed.news.wait()).rejects.toThrow('the first')
})

test('a pod’s readiness, addresses, end and uid are news; its other changes are not', () => {
  const changed = (change: (pod: V1Pod) => void = () => {}): string => {
    const [pod = {}] = recordedWorkloadPods('on')
    pod.metadata ??= {}
    pod.status ??= {}
    change(pod)
    return podNews(pod)
  }
  const now = changed()
  const at = ({ metadata = {} }: V1Pod): V1ObjectMeta => metadata
  const of = ({ status = {} }: V1Pod): V1PodStatus => status
  expect(changed((pod) => void (of(pod).startTime = new Date(0)))).toBe(now)
  expect(changed((pod) => void (at(pod).labels = {}))).toBe(now)
  expect(changed((pod) => void (at(pod).uid = 'another'))).not.toBe(now)
  expect(changed((pod) => void (at(pod).deletionTimestamp = new Date(0)))).not.toBe(now)
  expect(changed((pod) => void (of(pod).conditions = []))).not.toBe(now)
  expect(changed((pod) => void (of(pod).podIPs = [{ ip: '10.244.9.9' }]))).not.toBe(now)
})

import { ciliumKeys } from '../../../../src/features/registry.ts'
import { readFileSync } from 'node:fs'
import type { V1Pod } from '@kubernetes/client-node'
import { describe, expect, test } from 'vitest'
import {
  blamesApiServer as blamesApi,
  blamesKey,
  findWords as find,
  sentenceOf as sentenceIn,
} from '../../../../src/testbeds/kubernetes/switch/refusal.ts'
import { uidOf } from '../../../../src/testbeds/kubernetes/api/pod.ts'
import {
  describeNode,
  readRollout,
  type Ended,
  type Rollout,
} from '../../../../src/testbeds/kubernetes/switch/rollout.ts'

const findWords = (lines: readonly string[]) => find(lines, ciliumKeys())
const sentenceOf = (words: readonly string[]) => sentenceIn(words, ciliumKeys())
const blamesBigTcp = (words: readonly string[]) => blamesKey(words, ciliumKeys())
const blamesApiServer = (words: readonly string[]) => blamesApi(words, ciliumKeys())

const fixture = (name: string): string =>
  readFileSync(new URL(`../../../fixtures/kubernetes/rollout/${name}`, import.meta.url), 'utf8')

interface Recorded {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED'
  readonly object: V1Pod
}

/** A recorded restart: what `readRollout` says after each event of the watch. */
function replay(name: string): {
  readonly old: readonly V1Pod[]
  readonly steps: readonly { readonly pods: readonly V1Pod[]; readonly rollout: Rollout }[]
} {
  const events = fixture(name)
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Recorded)
  // The watch begins with what is there.
  const begin = events.findIndex(({ type }) => type !== 'ADDED')
  const old = events.slice(0, begin).map(({ object }) => object)
  const uids = new Set(old.map(uidOf))
  const had = old.flatMap(({ spec }) => spec?.nodeName ?? [])
  const present = new Map(old.map((pod) => [uidOf(pod), pod]))
  const steps = events.slice(begin).map(({ type, object }) => {
    if (type === 'DELETED') present.delete(uidOf(object))
    else present.set(uidOf(object), object)
    const pods = [...present.values()]
    return { pods, rollout: readRollout(pods, uids, had) }
  })
  return { old, steps }
}

const nodes = ['kind-control-plane', 'kind-worker', 'kind-worker2']

describe("the agents' restart, recorded on a real cluster", () => {
  test('is complete at the last event and not one before', () => {
    const { steps } = replay('on.jsonl')
    expect(steps.length).toBeGreaterThan(20)
    expect(steps.map(({ rollout }) => rollout.complete)).toEqual([...steps.slice(1).map(() => false), true])
  })

  test('is never complete while all pods are Ready and old ones are among them', () => {
    const { old } = replay('on.jsonl')
    const had = old.flatMap(({ spec }) => spec?.nodeName ?? [])
    const uids = new Set(old.map(uidOf))
    const { complete, nodes: rows } = readRollout(old, uids, had)
    expect(complete).toBe(false)
    expect(rows.map(({ phase }) => phase.is)).toEqual(['old', 'old', 'old'])
  })

  test('describes each node in every step, and takes each through the same phases', () => {
    const { steps } = replay('on.jsonl')
    for (const { rollout } of steps) expect(rollout.nodes.map(({ node }) => node)).toEqual(nodes)
    for (const node of nodes) {
      const phases = steps.map(({ rollout }) => rollout.nodes.find((one) => one.node === node)?.phase.is)
      expect(phases.filter((is, index) => is !== phases[index - 1])).toEqual(['old', 'starting', 'ready'])
    }
    const words = new Set(
      steps.flatMap(({ rollout }) => rollout.nodes.map((one) => `${one.node}: ${describeNode(one)}`)),
    )
    for (const said of [
      'the old agent is stopping',
      'starting, init container 2 of 5',
      'starting, its containers are running',
      'ready',
    ]) {
      expect(words).toContain(`kind-worker: ${said}`)
    }
  })

  test('waits for a node whose old agent is gone and whose new one is not there yet', () => {
    const { steps, old } = replay('on.jsonl')
    const had = old.flatMap(({ spec }) => spec?.nodeName ?? [])
    const last = steps.at(-1)?.pods ?? []
    const two = readRollout(last.slice(1), new Set(old.map(uidOf)), had)
    expect(two.complete).toBe(false)
    expect(two.nodes.map(({ phase }) => phase.is).toSorted()).toEqual(['missing', 'ready', 'ready'])
    expect(readRollout([], new Set(), []).complete).toBe(false)
  })

  test('notices an ended agent at once, and never reports it as ready', () => {
    const { steps } = replay('refused.jsonl')
    const ends = steps.map(({ rollout }) => rollout.nodes.filter(({ phase }) => phase.is === 'ended'))
    const first = ends.find((some) => some.length > 0)?.[0]
    expect(first?.phase).toMatchObject({
      ended: { container: 'cilium-agent', exitCode: 1, reason: 'Error', previous: false },
    })
    expect(steps.some(({ rollout }) => rollout.complete)).toBe(false)
    // Once it runs again, its last run's log is the previous one's.
    const again = ends.flat().map(({ phase }) => (phase as { ended: Ended }).ended)
    expect(new Set(again.map(({ previous }) => previous))).toEqual(new Set([true, false]))
    expect(ends.at(-1)?.map(({ node }) => node)).toEqual(nodes)
  })
})

describe('the messages of an agent', () => {
  test('about a refusal are found in its log, verbatim', () => {
    const lines = fixture('refused.txt').split('\n')
    const words = findWords(lines)
    expect(words).toHaveLength(1)
    expect(lines).toContain(words[0])
    expect(words[0]).toMatch(/level=fatal .*BIG TCP is not supported with legacy host routing/)
    expect(sentenceOf(words)).toBe('BIG TCP is not supported with legacy host routing')
    expect(blamesBigTcp(words)).toBe(true)
    expect(blamesApiServer(words)).toBe(false)
  })

  test('about a refusal are found in its termination message, whose beginning is cut off', () => {
    const { steps } = replay('refused.jsonl')
    const ended = steps.flatMap(({ rollout }) => rollout.nodes).find(({ phase }) => phase.is === 'ended')?.phase
    const { message } = (ended as { ended: Ended }).ended
    expect(message).not.toMatch(/^time=/)
    expect(sentenceOf(findWords(message.split('\n')))).toBe('BIG TCP is not supported with legacy host routing')
  })

  // Cilium's own (pkg/datapath/linux/bigtcp), which this cluster's kernel gives no cause for.
  test.each([
    [
      'level=warning msg="Cannot enable --enable-ipv4-big-tcp, needs kernel 6.3 or newer" subsys=big-tcp',
      'Cannot enable --enable-ipv4-big-tcp, needs kernel 6.3 or newer',
    ],
    [
      'level=warning msg="Could not modify IPv4 gro_max_size and gso_max_size, disabling BIG TCP" device=eth0 error="operation not supported" subsys=big-tcp',
      'Could not modify IPv4 gro_max_size and gso_max_size, disabling BIG TCP',
    ],
    [
      'level=warning msg="BIG TCP could not detect host devices. Disabling the feature." subsys=big-tcp',
      'BIG TCP could not detect host devices. Disabling the feature',
    ],
  ])('that cleared the flag are found among its other warnings: %s', (line, sentence) => {
    const words = findWords([
      'level=info msg="Setting up BIG TCP"',
      'level=warning msg="Skipping symbol substitution"',
      line,
    ])
    expect(words).toEqual([line])
    expect(sentenceOf(words)).toBe(sentence)
  })

  test('in JSON, as newer agents log, are found as well', () => {
    const line = '{"level":"fatal","msg":"failed to start: setting up GSO/GRO on VXLAN netdev: invalid argument"}'
    expect(findWords(['{"level":"info","msg":"x"}', line])).toEqual([line])
    expect(blamesBigTcp([line])).toBe(true)
  })

  test('are no refusal if the agent could not reach the API server', () => {
    const line =
      'level=fatal msg="Unable to initialize Kubernetes subsystem" error="unable to create k8s client: dial tcp 172.30.0.10:6443: connect: connection refused"'
    expect(blamesApiServer(findWords(['level=error msg="x"', line]))).toBe(true)
  })

  test('without any level are its last lines', () => {
    expect(findWords(['a', 'b', '', 'exec format error'])).toEqual(['a', 'b', 'exec format error'])
    expect(findWords([])).toEqual([])
  })
})

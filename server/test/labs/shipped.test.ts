import { capabilitiesFor } from '@expresslane/shared/features/settings'
import { listedLab } from '@expresslane/shared/labs/lab'
import { describe, expect, it } from 'vitest'
import { labs, shipped } from '../support/runs/labs.ts'

const classicSteps = [
  'why',
  'preflight',
  'verify-off',
  'deploy',
  'read-off',
  'baseline',
  'enable',
  'read-switched',
  'redeploy',
  'measure-on',
  'compare',
  'restore',
]

/** The step ids that recordings and databases name: a step may get another title, and never another id. */
const stepsOfOld: Readonly<Record<string, readonly string[]>> = {
  'big-tcp-ipv4': classicSteps,
  'big-tcp-ipv6': classicSteps,
  'how-big': ['why', 'preflight', 'verify-off', 'sweep', 'read-the-map', 'restore'],
  'jumbo-or-big-tcp': ['why', 'preflight', 'four-arms', 'what-it-costs', 'restore'],
  'one-stream': ['why', 'preflight', 'iperf3', 'tcp-stream', 'what-it-costs', 'why-not-faster', 'restore'],
  'through-a-tunnel': ['why', 'preflight', 'choose', 'deploy', 'read', 'measure', 'meaning', 'restore'],
  encryption: ['why', 'preflight', 'readable', 'choose', 'unreadable', 'measure', 'meaning', 'restore'],
  'see-the-packets': ['why', 'preflight', 'ipv4-off', 'ipv4-on', 'ipv6-off', 'ipv6-on', 'where-it-ends', 'restore'],
  'bare-cluster': [
    'why',
    'kernel',
    'cluster',
    'deploy',
    'prerequisites',
    'without-kube-proxy-replacement',
    'without-host-routing',
    'without-masquerade',
    'without-native-routing',
    'without-direct-routes',
    'measure',
    'meaning',
    'restore',
  ],
  'nodeport-rate': ['why', 'preflight', 'choose', 'deploy', 'read', 'measure', 'meaning', 'restore'],
  'nodeport-services': ['why', 'preflight', 'choose', 'deploy', 'read', 'measure', 'meaning', 'restore'],
  'nodeport-cpu': ['why', 'preflight', 'choose', 'deploy', 'read', 'measure', 'meaning', 'restore'],
  'nodeport-cluster': ['why', 'preflight', 'switch', 'deploy', 'read', 'measure', 'meaning', 'restore'],
  'load-balancing': [
    'why',
    'preflight',
    'choose',
    'deploy',
    'read',
    'measure',
    'memory',
    'size',
    'reply',
    'reply-direct',
    'dsr',
    'meaning',
    'restore',
  ],
  'socket-lb': [
    'why',
    'preflight',
    'choose',
    'deploy',
    'read',
    'call',
    'call-packet',
    'requests',
    'connections',
    'meaning',
    'restore',
  ],
  'pod-devices': [
    'why',
    'preflight',
    'choose',
    'deploy',
    'read',
    'forwarding-off',
    'pings-go-on',
    'no-program',
    'pings-stop',
    'measure',
    'connections',
    'stream',
    'big-tcp',
    'meaning',
    'restore',
  ],
  'pod-limit': ['why', 'preflight', 'choose', 'deploy', 'read', 'measure', 'faster', 'gso', 'meaning', 'restore'],
  'long-paths': ['why', 'preflight', 'choose', 'deploy', 'read', 'loss', 'idle', 'meaning', 'restore'],
  nat64: [
    'why',
    'preflight',
    'choose',
    'deploy',
    'names',
    'ipv4-page',
    'ipv6-page',
    'block',
    'ipv6-page-stateful',
    'large-packets',
    'measure',
    'connections',
    'stream',
    'meaning',
    'restore',
  ],
  'nat64-cluster': ['why', 'preflight', 'deploy', 'ipv4-server', 'ipv6-server', 'meaning', 'restore'],
  bench: ['run', 'restore'],
}

it('are all read, in the order of the catalogue, with the ids that recordings name', () => {
  expect(shipped.problems()).toEqual([])
  expect(labs.map(({ id }) => id)).toEqual(Object.keys(stepsOfOld))
  expect(Object.fromEntries(labs.map(({ id, steps }) => [id, steps.map((step) => step.id)]))).toEqual(stepsOfOld)
})

describe.each(labs.map((one) => [one.id, one] as const))('%s', (id, one) => {
  it('is valid data', () => {
    expect(listedLab.parse(one)).toEqual(one)
    expect(shipped.find(id)).toBe(one)
  })

  it('has steps of different names, each with prose, and a label and a hint for each action', () => {
    expect(new Set(one.steps.map((step) => step.id)).size).toBe(one.steps.length)
    for (const step of one.steps) {
      expect(step.prose.length).toBeGreaterThan(40)
      expect(step.actionLabel === null).toBe(step.action === null)
      expect(step.hint === null).toBe(step.action === null)
    }
  })

  it('uses only its families, and ends with Restore', () => {
    for (const { action } of one.steps) {
      if (action !== null && 'family' in action) expect(one.families).toContain(action.family)
    }
    expect(one.steps.at(-1)?.action?.kind).toBe('restore')
  })
})

describe.each(labs.filter(({ id }) => id.startsWith('big-tcp-')).map((one) => [one.id, one] as const))(
  '%s, a classic walk',
  (_id, one) => {
    it('measures before and after switching', () => {
      const kinds = one.steps.map(({ action }) => (action?.kind === 'measure' ? action.arm : action?.kind))
      expect(kinds.indexOf('off')).toBeLessThan(kinds.indexOf('switch'))
      expect(kinds.indexOf('switch')).toBeLessThan(kinds.indexOf('on'))
    })

    it('expects no fixed sizes in its checks', () => {
      expect(JSON.stringify(one.steps.map((step) => step.action))).not.toContain('196608')
    })
  },
)

it.each([
  'big-tcp-ipv4',
  'jumbo-or-big-tcp',
  'see-the-packets',
  'nodeport-rate',
  'pod-devices',
  'pod-limit',
  'long-paths',
  'load-balancing',
  'socket-lb',
  'nat64',
])('%s shows the way of a packet', (id) => {
  const one = labs.find((lab) => lab.id === id)
  expect(one?.steps[0]?.diagram?.nodes.length).toBeGreaterThan(3)
})

describe('the labs as talks', () => {
  const talks = labs.filter(({ listed }) => listed)

  it.each(talks.map((one) => [one.id, one] as const))(
    '%s has notes, minutes and a pause for every step',
    (_id, one) => {
      for (const { notes, minutes, pauseSeconds } of one.steps) {
        expect(notes?.length).toBeGreaterThan(60)
        expect(minutes).toBeGreaterThan(0)
        expect(pauseSeconds).toBeGreaterThan(0)
      }
    },
  )

  it('ask the room before each comparison', () => {
    for (const { action, question } of talks.flatMap(({ steps }) => steps)) {
      expect(question !== null).toBe(action?.kind === 'compare' || action?.kind === 'experiment')
    }
  })
})

describe('labs with an experiment', () => {
  const plans = labs.flatMap(({ id, steps }) =>
    steps.flatMap(({ action }) =>
      action?.kind === 'experiment' && action.plan !== null ? [[id, action] as const] : [],
    ),
  )

  const bigTcp = plans.filter(([id]) => shipped.find(id)?.feature === 'big-tcp')

  it.each(bigTcp)('%s starts with an arm without BIG TCP, which the others are compared with', (_id, { plan }) => {
    expect(plan?.arms[0]).toMatchObject({ settings: { 'big-tcp-ipv4': false } })
    expect(plan?.arms.slice(1).some(({ settings }) => settings['big-tcp-ipv4'] === true)).toBe(true)
  })

  it.each(plans)('%s offers its own design within its own bounds', (_id, { plan, repeats, seconds }) => {
    expect(plan?.design.repeats).toBe(repeats.default)
    expect(plan?.design.seconds).toBe(seconds.default)
    expect(repeats.default).toBeGreaterThanOrEqual(4)
  })

  it('needs the capabilities that its arms set', () => {
    for (const { needs, optional, steps } of labs.filter(({ listed }) => listed)) {
      for (const { action } of steps) {
        const arms = action?.kind === 'experiment' ? (action.plan?.arms ?? []) : []
        for (const { settings } of arms) {
          expect([...needs, ...optional]).toEqual(expect.arrayContaining(capabilitiesFor(settings)))
        }
      }
    }
  })
})

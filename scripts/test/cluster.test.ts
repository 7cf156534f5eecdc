import { expect, test } from 'vitest'
import { inRoot } from '../base/paths.mjs'
import { versionIn } from '../cluster/programs.mjs'
import { cluster, type Answers } from './fake-programs.ts'

const all = ['docker', 'kind', 'helm', 'kubectl']
const network = '313bd6aef3b8ffbb01f084494d8f2cb03c22c1eda2d2c0deeefec9db2d8640a2'
const bridge = 'br-313bd6aef3b8'

function device(ifname: string, size: number, tso: number) {
  const [gso_max_size, gro_max_size, gso_ipv4_max_size, gro_ipv4_max_size] = [size, size, size, size]
  return { ifname, gso_max_size, gro_max_size, gso_ipv4_max_size, gro_ipv4_max_size, tso_max_size: tso }
}

const ip =
  'docker run --rm --interactive --pull never --network host --user 0 --cap-add NET_ADMIN --entrypoint ip expresslane/netperf'

function links(size: number): Answers {
  return {
    [`${ip} -d -j link show master ${bridge}`]: JSON.stringify([
      device('veth1', size, 524_280),
      device('veth2', size, 262_144),
    ]),
    [`${ip} -d -j link show dev ${bridge}`]: JSON.stringify([device(bridge, size, 65_536)]),
  }
}

const nodeNames = ['expresslane-control-plane', 'expresslane-worker', 'expresslane-worker2']
const ready = { type: 'Ready', status: 'True', message: 'kubelet is posting ready status' }

function nodesAre(conditions: readonly { type: string; status: string; message: string }[]): string {
  return JSON.stringify({
    items: nodeNames.map((name, index) => ({
      metadata: { name },
      status: { conditions: [conditions[index] ?? ready] },
    })),
  })
}

const context = 'kubectl --context kind-expresslane'
const get = `${context} --request-timeout=10s`

const programs: Answers = {
  'docker version --format {{.Client.Version}}': '28.2.2\n',
  'docker version --format {{.Server.KernelVersion}}': '6.8.0-45-generic\n',
  'kind version': 'kind v0.30.0 go1.24.6 linux/amd64\n',
  'helm version': 'v3.19.0',
  'kubectl version': '{"clientVersion": {"major": "1", "minor": "34", "gitVersion": "v1.34.1"}}',
}

/** As the real programs answer on a cluster in which all is well. */
const well: Answers = {
  ...programs,
  'kind get clusters': 'expresslane\nother\n',
  'helm list': JSON.stringify([{ name: 'cilium', chart: 'cilium-1.18.8', status: 'deployed' }]),
  'docker inspect': JSON.stringify({ kind: { NetworkID: network } }),
  'docker network inspect': '{"com.docker.network.enable_ipv6":"true"}',
  ...links(524_280),
  [`${get} get nodes`]: nodesAre([]),
  [`${get} --namespace kube-system get pods`]: JSON.stringify({
    items: nodeNames.map((nodeName) => ({
      metadata: { name: `cilium-on-${nodeName}` },
      spec: { nodeName },
      status: {},
    })),
  }),
  [`${context} --namespace kube-system exec`]: 'OK\n',
  'docker exec': '{}',
}

test('up on a machine without a cluster: created, the image loaded, Cilium installed, waited for, the bridge widened', () => {
  const { code, said, calls } = cluster(['up'], all, {
    ...well,
    'kind get clusters': '\n',
    'helm list': '[]',
    ...links(65_536),
  })
  const helm = 'helm upgrade --install cilium cilium --repo https://helm.cilium.io --version 1.18.8'
  const values = `--values ${inRoot('manifests', 'cilium-values.yaml')}`
  const widened = (name: string, size: number) =>
    `link set dev ${name} gso_max_size ${size} gro_max_size ${size} gso_ipv4_max_size ${size} gro_ipv4_max_size ${size}`
  const changing = calls.filter(
    (call) => !/ version|^kind get|^helm list|inspect|--output json$| exec | -j link /.test(call),
  )
  expect(changing).toEqual([
    `kind create cluster --config ${inRoot('manifests', 'kind.yaml')}`,
    // NotReady without a network, as everybody is to see.
    `${context} get nodes`,
    `docker build --tag expresslane/netperf ${inRoot('manifests', 'netperf-image')}`,
    'kind load docker-image expresslane/netperf --name expresslane',
    `${helm} --namespace kube-system --kube-context kind-expresslane ${values} --wait --timeout 10m`,
    `${context} wait --for=condition=Ready node --all --timeout=5m`,
    `${context} get nodes`,
    `${context} --namespace kube-system annotate configmap cilium-config expresslane/may-break=true --overwrite`,
    `${ip} -batch -`,
    widened('veth1', 524_280),
    widened('veth2', 262_144),
    // The bridge last, and no further than its narrowest port.
    widened(bridge, 262_144),
  ])
  for (const call of changing.slice(0, 8)) expect(said).toContain(`$ ${call}`)
  // The fake bridge never changes, so the report shows that sizes are read back.
  expect(said).toContain(`NOT OK  bridge ${bridge}: cuts BIG TCP packets: veth1 65536, veth2 65536, ${bridge} 65536`)
  expect(code).toBe(1)
})

test('up again: nothing is created, installed or widened again', () => {
  const { code, said, calls } = cluster(['up'], all, well)
  expect(code).toBe(0)
  expect(calls.filter((call) => /create cluster|helm upgrade|-batch/.test(call))).toEqual([])
  expect(said).toContain(
    'Ready: `EXPRESSLANE_NETPERF_IMAGE=expresslane/netperf npm start`, then choose the testbed kubernetes and the context kind-expresslane.',
  )
})

test('up replaces another version of Cilium or a broken release', () => {
  for (const release of [
    { chart: 'cilium-1.15.19', status: 'deployed' },
    { chart: 'cilium-1.18.8', status: 'failed' },
  ]) {
    const { calls } = cluster(['up'], all, { ...well, 'helm list': JSON.stringify([release]) })
    expect(calls.filter((call) => call.startsWith('helm upgrade'))).toHaveLength(1)
  }
})

test('up ends at the step that fails, and names it', () => {
  const { code, said, calls } = cluster(['up'], all, { ...well, 'docker build': 17 })
  expect(code).toBe(1)
  expect(said).toContain('`docker build --tag` failed; its output is above.')
  expect(calls.at(-1)).toMatch(/^docker build/)
})

test('status: all well', () => {
  const { code, said } = cluster(['status'], all, well)
  expect(said.split('\n').filter((line) => line.startsWith('NOT OK'))).toEqual([])
  expect(said).toContain(`ok      bridge ${bridge}: passes BIG TCP packets whole`)
  expect(code).toBe(0)
})

test.each<[string, Answers, string]>([
  [
    'a node that is not Ready',
    {
      [`${get} get nodes`]: nodesAre([
        ready,
        { type: 'Ready', status: 'False', message: 'cni plugin not initialized' },
      ]),
    },
    'NOT OK  node expresslane-worker: cni plugin not initialized',
  ],
  ['an API server that does not answer', { [`${get} get nodes`]: 1 }, 'NOT OK  node expresslane-worker2: not there'],
  [
    'an agent that is Ready and whose datapath fails',
    { [`${context} --namespace kube-system exec cilium-on-expresslane-worker2`]: 1 },
    'NOT OK  Cilium on expresslane-worker2: not healthy',
  ],
  [
    'an image that a node lacks',
    { 'docker exec expresslane-worker crictl': 1 },
    'NOT OK  image expresslane/netperf on expresslane-worker: not there',
  ],
  [
    'nodes that are stopped',
    { 'docker inspect': 1 },
    'NOT OK  bridge: expresslane-control-plane is not in a Docker network',
  ],
])('status with %s', (_, answers, line) => {
  const { code, said } = cluster(['status'], all, { ...well, ...answers })
  expect(said).toContain(line)
  expect(code).toBe(1)
})

test('status and down without a cluster', () => {
  const without = { ...programs, 'kind get clusters': 'other\n' }
  expect(cluster(['status'], all, without).code).toBe(1)
  const { code, said } = cluster(['down'], all, without)
  expect(said).toContain('There is no cluster expresslane.')
  expect(code).toBe(0)
})

test('down deletes this cluster and no other', () => {
  const { code, calls } = cluster(['down'], all, well)
  expect(calls.at(-1)).toBe('kind delete cluster --name expresslane')
  expect(code).toBe(0)
})

test('missing and old programs are reported at once with their source, and nothing is changed', () => {
  const { code, said, calls } = cluster(['up'], ['docker', 'kind', 'kubectl'], {
    ...programs,
    'kind version': 'kind v0.20.0 go1.20.4 linux/amd64\n',
  })
  expect(code).toBe(1)
  expect(said).toContain(
    'kind 0.27 or newer: https://kind.sigs.k8s.io/docs/user/quick-start/#installation (this one is 0.20)',
  )
  expect(said).toContain('helm 3.12 or newer: https://helm.sh/docs/intro/install/')
  expect(calls.every((call) => call.includes(' version'))).toBe(true)
})

test.each([
  ['5.15.0-91-generic', 1, 'Docker runs on Linux 5.15.0-91-generic, and BIG TCP needs 5.19 for IPv6 and 6.3 for IPv4.'],
  ['6.1.0-18-amd64', 0, 'ok      Linux 6.1.0-18-amd64: enough for the IPv6 lab, IPv4 needs 6.3'],
  ['6.3.0', 0, 'ok      Linux 6.3.0\n'],
])('Docker on Linux %s', (kernel, expected, line) => {
  const { code, said } = cluster(['status'], all, {
    ...well,
    'docker version --format {{.Server.KernelVersion}}': `${kernel}\n`,
  })
  expect(said).toContain(line)
  expect(code).toBe(expected)
})

test('an unreachable daemon is reported', () => {
  const { code, said } = cluster(['up'], all, {
    ...programs,
    'docker version': 1,
    'docker version --format {{.Client.Version}}': 1,
    'docker version --format {{.Server.KernelVersion}}': 1,
  })
  expect(said).toContain("Docker's daemon does not answer.")
  expect(code).toBe(1)
})

test.each([[[]], [['stop']], [['up', 'now']]])('arguments %j are refused', (args) => {
  const { code, said, calls } = cluster(args, all, well)
  expect(said).toContain('npm run cluster -- up|down|status')
  expect(calls).toEqual([])
  expect(code).toBe(1)
})

test.each([
  ['v3.19', [3, 19]],
  ['6.8.0-45-generic', [6, 8]],
  ['kind v0.30.0 go1.24.6 linux/amd64', [0, 30]],
  ['"gitVersion": "v1.32.4-dispatcher"', [1, 32]],
  ['', null],
])('the version in %j', (text, version) => {
  expect(versionIn(text)).toEqual(version)
})

/** A gateway on the path of the NodePort's tests: IPv4 at the client, IPv6 at the backend, a translator on the node. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { deviceArgv, nodeportProgram } from '../../../src/tools/nodeport/argv.ts'
import { backendAddresses, clientAddresses, nodeAddresses, masquerade, openPath, type Path } from '../nodeport/path.ts'

const PREFIX = 'fd64:ff9b::'
/** The backend to IPv4, the client to IPv6, and the gateway as the sender of errors. */
export const BACKEND4 = '10.99.0.2'
export const CLIENT6 = `${PREFIX}${clientAddresses.ipv4}`
const GATEWAY4 = '10.99.0.254'
const PAIR = { ipv4: BACKEND4, ipv6: backendAddresses.ipv6 }

export type Translator = 'bpf' | 'tayga'
type Finished = (end: () => void | Promise<void>) => void

async function must(path: Path, script: readonly string[]): Promise<void> {
  const { code, stderr } = await path.run('node', ['sh', '-ec', script.join('\n')])
  if (code !== 0) throw new Error(stderr.join('\n'))
}

/** Makes a veth device whose second end does nothing: not every kernel has dummy devices. */
const makeDevice = [
  'ip link add nat64 mtu 65535 type veth peer name nat64-end mtu 65535',
  'ip link set nat64 addrgenmode none arp off',
  'ip link set nat64-end addrgenmode none arp off up',
  'echo 0 >/proc/sys/net/ipv4/conf/nat64/send_redirects',
]

/** The routes of both translators: the kernel answers for packets that are too big, as it does for packets whose time is up. */
const useDevice = [
  'ip link set nat64 up',
  'ip route add 10.99.0.0/24 dev nat64 mtu lock 1480',
  `ip -6 route add ${PREFIX}/96 dev nat64`,
]

async function startTayga(path: Path, finished: Finished): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'tayga-'))
  finished(() => {
    rmSync(folder, { recursive: true, force: true })
  })
  const config = join(folder, 'tayga.conf')
  const lines = [
    'tun-device nat64',
    `ipv4-addr ${GATEWAY4}`,
    'ipv6-addr fd46:64::1',
    `prefix ${PREFIX}/96`,
    `map ${PAIR.ipv4} ${PAIR.ipv6}`,
    `data-dir ${folder}`,
  ]
  writeFileSync(config, lines.join('\n'))
  await must(path, [`tayga -c ${config} --mktun`, ...useDevice])
  path.start('node', ['tayga', '-c', config, '--nodetach'])
  await must(path, ['until ip link show nat64 | grep -q LOWER_UP; do :; done'])
}

async function startBpf(path: Path, more: object): Promise<void> {
  await must(path, [...makeDevice, ...useDevice])
  const rules = JSON.stringify({ prefix: `${PREFIX}/96`, gateway: GATEWAY4, pairs: [PAIR], ...more })
  const argv = [nodeportProgram, 'translate', '--device', 'nat64', '--rules', '-']
  await path.start('node', argv, `${rules}\n`).line(0)
}

/** The path with its translator. Checksums are left to the devices, as hosts do it. @param more rules of `bpf` */
export async function openGateway(translator: Translator, finished: Finished, more: object = {}): Promise<Path> {
  const path = await openPath('root', finished)
  for (const [place, device] of [
    ['client', 'c0'],
    ['backend', 'b0'],
  ] as const) {
    const { code, stderr } = await path.run(place, deviceArgv(device, { txChecksum: true }))
    if (code !== 0) throw new Error(stderr.join('\n'))
  }
  const route = (place: 'client' | 'backend', words: string) =>
    path.run(place, ['ip', 'route', 'add', ...words.split(' ')])
  await route('client', `10.99.0.0/24 via ${nodeAddresses.ipv4}`)
  await route('backend', `${PREFIX}/96 via ${masquerade.ipv6}`)
  await (translator === 'bpf' ? startBpf(path, more) : startTayga(path, finished))
  return path
}

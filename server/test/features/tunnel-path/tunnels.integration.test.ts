/** Tunnels on this machine, as an ordinary user: no part of them needs root. */
import { execFileSync } from 'node:child_process'
import { tunnelsContract } from './tunnels-contract.ts'

const NOBODY = 65_534

/** As root, this file's own process becomes an ordinary user. */
if (process.getuid?.() === 0) {
  process.setgroups?.([])
  process.setgid?.(NOBODY)
  process.setuid?.(NOBODY)
}

/** Asks the kernel by itself, not by the product's trial. */
const options = {
  vxlan: 'vxlan id 1 remote 192.0.2.1 dstport 4789',
  geneve: 'geneve id 1 remote 192.0.2.1 dstport 4789',
  wireguard: 'wireguard',
  esp: 'xfrm dev lo if_id 1',
} as const

function hasKind(kind: keyof typeof options): boolean {
  try {
    const make = `ip link add trial type ${options[kind]}`
    execFileSync('unshare', ['--user', '--map-root-user', '--net', 'sh', '-c', make], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

tunnelsContract(['none', ...(['vxlan', 'geneve', 'wireguard', 'esp'] as const).filter(hasKind)])

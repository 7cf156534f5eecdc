/** The `tc`, `ip` and `sysctl` commands behind the settings. Pure. */
import { assertNever } from '@expresslane/shared/base/errors'
import { bytes } from '@expresslane/shared/base/units'
import {
  lossOf,
  NARROW_MBIT,
  ROUND_TRIP_MS,
  type CongestionControl,
  type Limiter,
  type LongPath,
} from '@expresslane/shared/features/limits/settings'
import { sizeAttributes } from '../../tools/ip-link.ts'
import { far, near, WIRE } from './topology.ts'

/** The token bucket's device: a queue for what another device receives. */
export const QUEUE_DEVICE = 'ifb0'

const text = (commands: readonly string[]): string => commands.map((one) => `${one}\n`).join('')

/** Input of `ip -batch -` and of `tc -batch -` on the client's node. */
export interface Batches {
  readonly ip: string
  readonly tc: string
}

/** A burst of less than a packet of 64 KiB would let none pass. */
const BURST = '512k'

export function limiterBatches(by: Limiter, mbit: number): Batches {
  const { lxc } = near
  switch (by) {
    case 'none':
      return { ip: '', tc: '' }
    case 'police':
      return {
        ip: '',
        tc: text([
          `qdisc add dev ${lxc} clsact`,
          `filter add dev ${lxc} ingress matchall action police rate ${mbit}mbit burst ${BURST} conform-exceed drop`,
        ]),
      }
    case 'tbf':
      return {
        ip: text([`link add ${QUEUE_DEVICE} type ifb`, `link set ${QUEUE_DEVICE} up`]),
        tc: text([
          `qdisc add dev ${QUEUE_DEVICE} root tbf rate ${mbit}mbit burst 256k latency 200ms`,
          `qdisc add dev ${lxc} ingress`,
          `filter add dev ${lxc} parent ffff: protocol all u32 match u32 0 0 action mirred egress redirect dev ${QUEUE_DEVICE}`,
        ]),
      }
    case 'edt':
    case 'edt-routed':
      return { ip: '', tc: text([`qdisc add dev ${WIRE} root fq`]) }
    default:
      return assertNever(by)
  }
}

/** Input of `ip -batch -` for devices of one place. */
export function sizeBatch(devices: readonly string[], size: number): string {
  const both = bytes.parse(size)
  return text(devices.map((one) => `link set dev ${one} ${sizeAttributes({ ipv6: both, ipv4: both }).join(' ')}`))
}

/** Longer than the longest queue of a path without a rate. */
const NO_LOSS_LIMIT = 10_000
/** Packets: 120 ms at the rate. */
const NARROW_LIMIT = 200

/** Input of `tc -batch -`: half of the delay each way; rate and losses are on the way to the server. @param seed of the losses */
export function pathBatches(path: LongPath, seed: number): { readonly near: string; readonly far: string } {
  const delay = `delay ${ROUND_TRIP_MS / 2}ms`
  const usual = `${delay} limit ${NO_LOSS_LIMIT}`
  const narrow = `${delay} rate ${NARROW_MBIT}mbit loss ${lossOf(path)}% limit ${NARROW_LIMIT} seed ${seed}`
  return {
    near: `qdisc add dev ${near.lxc} root netem ${usual}\n`,
    far: `qdisc add dev ${far.lxc} root netem ${path === 'long' ? usual : narrow}\n`,
  }
}

const CONGESTION = 'net.ipv4.tcp_congestion_control'
const IDLE = 'net.ipv4.tcp_slow_start_after_idle'

/** For a pod on a long path: its TCP, with windows that fill it. */
export function tcpArgv(by: CongestionControl, idleSlowStart: boolean): string[] {
  const windows = '4096 4194304 16777216'
  return [
    'sysctl',
    '-q',
    '-w',
    `${CONGESTION}=${by}`,
    `${IDLE}=${Number(idleSlowStart)}`,
    'net.ipv4.tcp_no_metrics_save=1',
    `net.ipv4.tcp_wmem=${windows}`,
    `net.ipv4.tcp_rmem=${windows}`,
  ]
}

export const readTcpArgv: readonly string[] = ['sysctl', '-n', CONGESTION, IDLE]

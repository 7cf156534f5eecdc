/** The addresses under which this server is reached: on this machine, in the room, and behind a proxy. */
import type { IncomingHttpHeaders } from 'node:http'
import { networkInterfaces, type NetworkInterfaceInfo } from 'node:os'
import { isLoopback, type Config } from '../config.ts'

/** The part of the configuration that decides the addresses. */
export type AddressConfig = Pick<Config, 'host' | 'origins' | 'workshop' | 'https'>
type Interfaces = () => NodeJS.Dict<NetworkInterfaceInfo[]>

const WILDCARDS = new Set(['0.0.0.0', '::', '[::]'])
/** Bridges and tunnels of containers and virtual machines: other machines do not reach these. */
const INNER = /^(docker|br-|veth|virbr|vnet|cni|flannel|cilium|lxc|podman|tun|tap)/

/** A host as an address has it: IPv6 in brackets. */
export function bracketed(host: string): string {
  return host.includes(':') && !host.startsWith('[') ? `[${host}]` : host
}

/** The host to type on this machine for a server that is bound to `host`. */
export function typedHost(host: string): string {
  return WILDCARDS.has(host) || (isLoopback(host) && host !== '::1') ? '127.0.0.1' : bracketed(host)
}

/** How a machine calls itself that got no IPv4 address (RFC 3927): few others reach it there. */
const MADE_UP = /^169\.254\./

/** This machine's addresses in its networks, IPv4 first; only addresses that a server on `host` listens on. */
function networkAddresses(interfaces: Interfaces, host: string): string[] {
  const all = Object.entries(interfaces()).flatMap(([name, infos]) => (INNER.test(name) ? [] : (infos ?? [])))
  const outer = all.filter(({ internal, scopeid }) => !internal && (scopeid ?? 0) === 0)
  const of = (family: string): string[] =>
    outer.filter((info) => info.family === family).map(({ address }) => bracketed(address))
  const ipv4 = of('IPv4')
  return [
    ...ipv4.filter((address) => !MADE_UP.test(address)),
    ...(host === '0.0.0.0' ? [] : of('IPv6')),
    ...ipv4.filter((address) => MADE_UP.test(address)),
  ]
}

export interface Addresses {
  /** Whether the Host header names this server. */
  hasHost(headers: IncomingHttpHeaders): boolean
  hasOrigin(origin: string): boolean
  /** Whether the browser reached this server over https, directly or through a proxy. */
  isSecure(headers: IncomingHttpHeaders): boolean
  /** The host names and IP addresses of this server, without ports: for a certificate. */
  names(): string[]
  /** The origin to open on this machine. */
  here(): string
  /** The origins under which other machines reach this server, the best one first; `here` when there is none. */
  room(): string[]
}

/** @param port returns the port that the server listens on */
export function createAddresses(
  { host, origins, workshop, https }: AddressConfig,
  port: () => number,
  interfaces: Interfaces = networkInterfaces,
): Addresses {
  const scheme = https === null ? 'http' : 'https'
  const isWild = WILDCARDS.has(host)

  const originOf = (name: string): string => new URL(`${scheme}://${name}:${port()}`).origin

  /** Only addresses, never names, are added for the room: a name could be made to point here (DNS rebinding). */
  function ownHosts(): string[] {
    const names = ['127.0.0.1', 'localhost', '[::1]']
    if (!isWild) names.push(bracketed(host))
    else if (workshop) for (const one of networkAddresses(interfaces, host)) names.push(one)
    return [...new Set(names)]
  }

  const ownOrigins = (): string[] => ownHosts().map(originOf)

  function hasHost({ host: given = '' }: IncomingHttpHeaders): boolean {
    const asked = given.toLowerCase()
    const defaultPort = https === null ? ':80' : ':443'
    const withoutPort = asked.endsWith(defaultPort) ? asked.slice(0, -defaultPort.length) : asked
    const hosts = [...ownOrigins(), ...origins].map((origin) => new URL(origin).host)
    return hosts.includes(asked) || hosts.includes(withoutPort)
  }

  return {
    hasHost,
    hasOrigin: (origin) => ownOrigins().includes(origin) || origins.includes(origin),
    isSecure({ host: given = '' }) {
      return https !== null || origins.some((origin) => origin === `https://${given.toLowerCase()}`)
    },
    names: () => ownHosts().map((name) => name.replaceAll(/[[\]]/g, '')),
    here: () => originOf(typedHost(host)),
    room() {
      const proxied = [...origins].toSorted((a, b) => Number(b.startsWith('https:')) - Number(a.startsWith('https:')))
      const direct = isWild
        ? networkAddresses(interfaces, host).map(originOf)
        : isLoopback(host)
          ? []
          : [originOf(bracketed(host))]
      const reached = [...proxied, ...direct]
      return reached.length > 0 ? reached : [originOf(typedHost(host))]
    },
  }
}

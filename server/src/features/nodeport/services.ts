/** The services that a node knows: made-up services, and the measured service last. Pure. */
import { NODE_PORT } from '@expresslane/shared/features/nodeport/roles'
import type { Family } from '@expresslane/shared/base/units'
import { clusterIp, madeUpPorts, SERVICE_PORT, type ServicePort } from '../service-ports.ts'

/** Where the measured service's backend listens. */
export const BACKEND_PORT = 8080

/**
 * The ports of `count` services in one family, in kube-proxy's order of rules: a port for each made-up service, then
 * TCP and UDP of the measured service.
 *
 * @param backend the address of its endpoint
 */
export function servicePorts(count: number, of: Family, backend: string): ServicePort[] {
  const measured = (['tcp', 'udp'] as const).map((protocol) => ({
    service: 'lab/measured',
    protocol,
    clusterIp: clusterIp(of, count + 1),
    port: SERVICE_PORT,
    nodePort: NODE_PORT,
    endpoint: { address: backend, port: BACKEND_PORT },
    measured: true,
  }))
  return [...madeUpPorts(count - 1, of, NODE_PORT), ...measured]
}

/** The number of services behind this number of NodePorts in one family: {@link servicePorts} backwards. */
export function servicesOf(nodePorts: number): number {
  return nodePorts - 1
}

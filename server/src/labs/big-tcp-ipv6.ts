/** BIG TCP over IPv6: the content that only this family has. */
import { bigTcpLab } from './big-tcp.ts'

export const bigTcpIpv6 = bigTcpLab({
  family: 'ipv6',
  summary: 'IPv6 packets beyond 64 KiB: a hop-by-hop jumbo header (RFC 2675) carries the real length.',
  why64k: `An IPv6 header has a 16-bit *payload length*, so one packet ends at 65,535 bytes of payload. BIG TCP over
IPv6 (Linux 5.19) sets that field to 0 and adds a **hop-by-hop jumbo header** ([RFC 2675](https://www.rfc-editor.org/rfc/rfc2675))
with a 32-bit length. The header stays inside the host: it is taken off again when the packet is cut into
ordinary segments for the wire.`,
  limits: 'gso_max_size',
  addressOf: 'fd00:31:2::2',
  configKey: 'enable-ipv6-big-tcp',
})

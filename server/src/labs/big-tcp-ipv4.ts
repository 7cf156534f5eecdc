/** BIG TCP over IPv4: the content that only this family has. */
import { bigTcpLab } from './big-tcp.ts'

export const bigTcpIpv4 = bigTcpLab({
  family: 'ipv4',
  summary: 'IPv4 packets beyond 64 KiB: no new header, the kernel takes the length from its own buffer instead.',
  why64k: `An IPv4 header has a 16-bit *total length*, so one packet ends at 65,535 bytes. BIG TCP over IPv4
(Linux 6.3) writes **0** into that field and lets every layer take the length from the kernel's own buffer,
\`skb->len\`. The big packet lives inside the host only: the network card, or the last step before the wire,
cuts it into ordinary segments.`,
  limits: 'gso_ipv4_max_size',
  addressOf: '10.31.2.2',
  configKey: 'enable-ipv4-big-tcp',
})

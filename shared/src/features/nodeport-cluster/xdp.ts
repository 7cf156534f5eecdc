/** Which XDP program a device has. Pure. */
import type { Link } from '../../testbed/reading.ts'

/** Of Cilium's: `cil_xdp_entry`, and `bpf_xdp_entry` before 1.13. */
const CILIUM_PROGRAM = /^(cil|bpf)_xdp/

/** How a device runs Cilium's XDP program: in its driver, after it, or not at all. Other programs do not count. */
export function ciliumXdp({ xdp }: Pick<Link, 'xdp'>): 'native' | 'generic' | 'none' {
  return xdp !== undefined && CILIUM_PROGRAM.test(xdp.program) ? xdp.mode : 'none'
}

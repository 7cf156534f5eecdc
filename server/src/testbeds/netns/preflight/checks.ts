/** The preflight's checks of the machine: the outcomes, and remedies for missing parts. */
import type { Reading } from '@expresslane/shared/testbed/reading'
import type { Check } from '@expresslane/shared/testbed/testbed'
import { hasDemoMode } from '../../../tools/netperf/netperf.ts'
import { isAtLeast, parseVersion } from '../../../tools/versions.ts'
import { failed, passed, warning } from '../../check.ts'
import type { KernelNeed } from '../../topology.ts'
import type { Cpu } from '../facts.ts'

/** @param needs of the topology's labs */
export function kernelChecks(kernel: string, needs: readonly KernelNeed[]): Check[] {
  return needs.map(({ id, title, major, minor, blocks }) =>
    isAtLeast(kernel, major, minor) === true
      ? passed(id, title, kernel)
      : failed(id, title, kernel, { remedy: `Boot a Linux kernel ${major}.${minor} or newer.` }, blocks),
  )
}

/**
 * Checks that `ip` is new enough to show `tso_max_size` (6.0) and the IPv4 sizes (6.3), and does show them.
 *
 * @param output the output of `ip -V`
 * @param path the built path; null when it could not be built
 */
export function iproute2Check(output: string, path: readonly Reading[] | null): Check {
  const id = 'iproute2'
  const title = 'The ip command can set and show the sizes of both families'
  const version = parseVersion('iproute2', output)
  const said = version === null ? output.trim() : `iproute2 ${version}`
  const natives = path?.filter(({ native }) => native) ?? []
  const shows = (attribute: 'tsoMaxSize' | 'gsoIpv4MaxSize', minor: number): boolean =>
    path === null
      ? version !== null && isAtLeast(version, 6, minor) === true
      : natives.length > 0 && natives.every((device) => device[attribute] !== null)
  const fix = {
    remedy: 'Install iproute2 6.3 or newer.',
    remedyCommand: 'npm run tools',
  }
  if (!shows('tsoMaxSize', 0)) {
    return failed(id, title, `${said}; it does not show tso_max_size`, fix, [
      'packets-ipv6',
      'packets-ipv4',
      'packet-limit',
    ])
  }
  if (!shows('gsoIpv4MaxSize', 3)) {
    return failed(id, title, `${said}; it does not show gso_ipv4_max_size`, fix, ['packets-ipv4'])
  }
  return passed(id, title, path === null ? said : `${said}; it shows gso_max_size and gso_ipv4_max_size`)
}

/** @param output netperf's output when asked for demo mode and its version */
export function demoCheck(output: string): Check {
  const id = 'netperf-demo'
  const title = 'netperf has demo mode, for live results'
  if (hasDemoMode(output)) return passed(id, title, 'It accepts -D.')
  return warning(id, title, output.split('\n')[0] ?? '', {
    remedy:
      'Measurements work, but without live results. For live results, install a netperf that was built with --enable-demo=yes, such as the Debian package.',
    remedyCommand: 'sudo apt-get install --reinstall netperf',
  })
}

/** From 3.17 on iperf3 prints each interval as JSON (`--json-stream`). */
export function iperf3Rows(version: string | null): string {
  return version !== null && isAtLeast(version, 3, 17) === true
    ? 'live results as JSON'
    : 'live results as text (as JSON from version 3.17 on)'
}

/** @param name the machine's */
export function cpuChecks(cpu: Cpu, load: number, name: string): Check[] {
  const { count, governor, model } = cpu
  const checks = [
    count >= 2
      ? passed('cpus', 'Number of CPUs', `${count} x ${model}`)
      : warning('cpus', 'Number of CPUs', `${count} x ${model}`, {
          remedy: `netperf shares the only CPU with everything else here, so expect lower and noisier numbers. Give ${name} two CPUs.`,
        }),
  ]
  const steady = governor === null || governor === 'performance'
  const governorSeen = governor ?? 'The kernel shows none, as in most virtual machines.'
  checks.push(
    steady
      ? passed('governor', 'CPU frequency governor', governorSeen)
      : warning('governor', 'CPU frequency governor', governorSeen, {
          remedy:
            'The CPU frequency changes with the load, and the numbers change with it. Set the performance governor while you measure.',
          remedyCommand: 'echo performance | sudo tee /sys/devices/system/cpu/cpu*/cpufreq/scaling_governor',
        }),
  )
  const quiet = load < count / 2
  const loadSeen = `load ${load.toFixed(2)} on ${count} CPUs`
  checks.push(
    quiet
      ? passed('load', `Load of ${name}`, loadSeen)
      : warning('load', `Load of ${name}`, loadSeen, {
          remedy: 'Other work takes CPU time from the measurement. Stop it, or wait until it is done.',
        }),
  )
  return checks
}

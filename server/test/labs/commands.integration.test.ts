/** The commands that labs print, run as they stand there, on the path that the lab builds. */
import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { z } from 'zod'

const script = fileURLToPath(new URL('commands-stand-in.ts', import.meta.url))
const said = z.array(z.strictObject({ step: z.string(), commands: z.number(), stdout: z.string(), stderr: z.string() }))

/** In a PID namespace of its own: the commands look for the newest testbed, and others run beside this test. */
function typeCommandsOf(lab: string): z.infer<typeof said> {
  const own = ['--pid', '--fork', '--kill-child', '--mount-proc', process.execPath, script, lab]
  return said.parse(JSON.parse(execFileSync('unshare', own, { encoding: 'utf8' })))
}

/** For each lab and step: what its commands show. */
const versions = [/^nftables v\d/m, /^iptables v\d/m, /^permitted$/m]
const shown: Readonly<Record<string, Readonly<Record<string, readonly RegExp[]>>>> = {
  'nodeport-services': {
    preflight: versions,
    read: [/Chain KUBE-NODEPORTS/, /measured:tcp .*dpt:30080/, /measured:udp .*dpt:30080/],
  },
  'nodeport-rate': {
    preflight: versions,
    read: [/counter measured-udp/, /^qdisc noqueue/m],
    measure: [
      /"method":"socket"/,
      /"method":"ring"/,
      /"method":"xdp","pid":\d+,"device":"eth0","programId"/,
      /"ended":"time"/,
    ],
  },
  'load-balancing': {
    preflight: [/^nftables v\d/m, /^permitted$/m],
    read: [/jhash ip saddr \. tcp sport mod 1021/, /0 : 10\.60\.0\.1\d/, /^hello$/m],
  },
  'pod-devices': {
    preflight: [/^ip utility/m, /^Netperf version/m],
    // Pods that reach each other, and an IP layer that has no part in it.
    read: [/^16384 +131072 +1 +1 +/m, /^IpForwDatagrams +0 /m, /^Ip6OutForwDatagrams +0 /m],
    'forwarding-off': [/^0$/m, /^16384 +131072 +1 +1 +/m],
  },
  nat64: {
    preflight: [/^Version \d/m, /^curl \d/m],
    deploy: [/^10\.99\.0\.0\/24 dev nat64 .*mtu lock 1480/m, /^fd64:ff9b::\/96 dev nat64/m],
    // The plain resolver knows no address, so only the other one prints a line.
    names: [/^ended with 0\nfd64:ff9b::a2e:202\nended with 0$/m],
    'ipv4-page': [/<h1>You've reached an IPv4-only page<\/h1>/, /sees you as 10\.99\.0\.2,/],
    'ipv6-page': [/<h1>You've reached an IPv6-only page<\/h1>/, /sees you as fd64:ff9b::a2e:102,/],
    block: [/^blocked$/m, /1 received/],
    'large-packets': [/1 received/, /Frag needed and DF set \(mtu = 1480\)/],
  },
}

// Only root can make a PID namespace and keep its rights in it.
test.runIf(process.getuid?.() === 0).each(Object.entries(shown))('%s', (lab, expected) => {
  const steps = typeCommandsOf(lab)
  expect(steps.map(({ step }) => step)).toEqual(Object.keys(expected))
  for (const { step, commands, stdout, stderr } of steps) {
    const ends = stdout.match(/^ended with \d+$/gm)
    expect(ends, `${step}: ${stdout}${stderr}`).toEqual(Array(commands).fill('ended with 0'))
    for (const pattern of expected[step] ?? []) expect(stdout).toMatch(pattern)
  }
})

/** Trials where no packet passes: rules that need as much of a kernel as kube-proxy's. */

export interface Trial {
  readonly argv: readonly string[]
  readonly input: string
}

function nftRules(ip: 'ip' | 'ip6', address: string): string[] {
  return [
    `table ${ip} expresslane-trial {`,
    '  counter counted { }',
    '  chain chosen {',
    '    meta mark set meta mark or 0x4000',
    `    meta l4proto udp counter name counted dnat to ${address}`,
    '  }',
    '  map ports {',
    '    type inet_proto . inet_service : verdict',
    '    elements = { udp . 30080 : goto chosen }',
    '  }',
    '  chain before { type nat hook prerouting priority dstnat; meta l4proto . th dport vmap @ports; }',
    '  chain forward { type filter hook forward priority filter; ct state new numgen random mod 1 vmap { 0 : accept }; }',
    '  chain after { type nat hook postrouting priority srcnat; masquerade fully-random; }',
    '}',
  ]
}

/** With both families in one file. Loaded twice it would fail, so the tables of an earlier trial go first. */
export const nftTrials: readonly Trial[] = [
  {
    argv: ['nft', '-f', '-'],
    input: [
      'table ip expresslane-trial',
      'delete table ip expresslane-trial',
      'table ip6 expresslane-trial',
      'delete table ip6 expresslane-trial',
      ...nftRules('ip', '192.0.2.1:80'),
      ...nftRules('ip6', '[2001:db8::1]:80'),
      '',
    ].join('\n'),
  },
]

function iptablesRules(address: string): string {
  return [
    '*nat',
    ':CHOSEN - [0:0]',
    '-A PREROUTING -m comment --comment "a trial" -m addrtype --dst-type LOCAL -j CHOSEN',
    '-A CHOSEN -j MARK --or-mark 0x4000',
    `-A CHOSEN -p udp -m udp --dport 30080 -j DNAT --to-destination ${address}`,
    '-A POSTROUTING -m mark --mark 0x4000/0x4000 -j MASQUERADE --random-fully',
    'COMMIT',
    '*filter',
    '-A FORWARD -m conntrack --ctstate NEW -j ACCEPT',
    'COMMIT',
    '',
  ].join('\n')
}

export const iptablesTrials: readonly Trial[] = [
  { argv: ['iptables-restore'], input: iptablesRules('192.0.2.1:80') },
  { argv: ['ip6tables-restore'], input: iptablesRules('[2001:db8::1]:80') },
]

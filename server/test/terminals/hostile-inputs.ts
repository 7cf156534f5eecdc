/** Hostile inputs of a terminal, the same for the same seed. Pure. */
import { seeded } from '@expresslane/shared/compare/stats/random'

/** An input that a shell outlives is a line; a shell need not outlive a `last` input. */
export interface HostileInput {
  readonly kind: string
  readonly text: string
  readonly last: boolean
}

export interface Targets {
  /** The server's port. */
  readonly port: number
  /** A folder of the host that nobody in a terminal may see. */
  readonly data: string
  /** Processes of the host: the server, and one of the testbed's own user. */
  readonly pids: readonly number[]
}

type Pick = <T>(from: readonly T[]) => T

interface Kind {
  readonly kind: string
  /** Out of 10,000. */
  readonly count: number
  readonly last?: boolean
  text(pick: Pick, whole: (below: number) => number, targets: Targets): string
}

const quiet = (line: string): string => `(${line}) >/dev/null 2>&1`

const kinds: readonly Kind[] = [
  {
    kind: 'escape sequences',
    count: 3656,
    text(pick, whole) {
      const octal = Array.from({ length: whole(12) }, () => `\\\\${whole(256).toString(8).padStart(3, '0')}`).join('')
      const numbers = `${whole(100_000)};${whole(100_000)}`
      return `printf '${pick([
        `\\033[${pick(['', '?', '>', '='])}${numbers}${pick(['H', 'J', 'h', 'l', 'm', 'n', 'c', 'r', 't', 'L', '@'])}`,
        `\\033]${pick(['0', '2', '4', '8', '10', '52', '777'])};c;${octal}\\007`,
        `\\033P${pick(['$q', '+q', 'q'])}${octal}\\033\\\\`,
        '\\033[?1049h\\033[?1049l\\007\\033[6n\\033[c',
        octal,
      ])}'`
    },
  },
  {
    kind: 'reads of the host',
    count: 1500,
    text: (pick, _, { data, pids }) =>
      `head -c 100 ${pick([
        `${data}/token`,
        `${data}/secret`,
        `/proc/${pick(pids)}/environ`,
        `/proc/${pick(pids)}/root${data}/secret`,
        `/proc/1/root${data}/secret`,
        `/proc/1/cwd${data}/secret`,
        `/proc/self/root/../..${data}/secret`,
        '/proc/kcore',
        '/proc/kmsg',
        '/dev/mem',
        '/dev/vda',
        '/root/.ssh/id_ed25519',
        '/etc/shadow',
        '/sys/kernel/security/lsm',
      ])}`,
  },
  {
    kind: 'writes to the kernel and the host',
    count: 1500,
    text: (pick, whole, { data, pids }) =>
      quiet(
        `echo ${whole(10)} >${pick([
          '/proc/sysrq-trigger',
          '/proc/sys/kernel/core_pattern',
          '/proc/sys/kernel/hostname',
          '/proc/sys/kernel/shmmni',
          '/proc/sys/kernel/ns_last_pid',
          '/proc/sys/vm/drop_caches',
          '/proc/sys/vm/panic_on_oom',
          '/proc/sys/fs/file-max',
          '/proc/sys/user/max_user_namespaces',
          `/proc/${pick(pids)}/oom_score_adj`,
          `/proc/${pick(pids)}/mem`,
          `${data}/secret`,
          '/usr/bin/hostile',
          '/etc/passwd',
          '/dev/hostile',
          '/dev/shm/hostile',
          '/run/netns/hostile',
          '/sys/kernel/hostile',
        ])}`,
      ),
  },
  {
    kind: 'rights',
    count: 1000,
    text: (pick, whole, { pids }) =>
      quiet(
        pick([
          'su -c id </dev/null',
          'mount -t tmpfs x /tmp',
          'mount -o remount,bind,rw /usr && touch /usr/hostile',
          'mount --bind /tmp /usr',
          'umount -l /proc',
          'unshare -Ur id',
          'unshare -m touch /usr/hostile',
          'unshare -C mount -t cgroup2 c /tmp',
          'nsenter -t 1 -a id',
          `nsenter -t ${pick(pids)} -m touch /hostile`,
          'nsenter --net=/run/netns/node2 ip link set lo down',
          'setpriv --reuid 1000 --clear-groups touch /usr/hostile',
          'chroot /tmp id',
          `mknod /tmp/disk${whole(9)} b 254 0`,
          'chmod u+s /usr/bin/env',
          'cp /usr/bin/env /tmp/env && chmod 4755 /tmp/env && /tmp/env id',
          'insmod /tmp/x.ko',
          'modprobe dummy',
          'losetup -f',
          'hostname hostile',
          'date -s 2001-01-01',
          'swapoff -a',
          'reboot -f',
          'chrt --fifo 99 id',
          'renice -n -20 $$',
          'sysctl -w kernel.panic=1',
          `ip link set eth0 netns ${pick(pids)}`,
          'tc qdisc add dev lo root noqueue',
        ]),
      ),
  },
  {
    kind: 'signals and tracing',
    count: 600,
    text: (pick, _, { pids }) =>
      quiet(
        pick([
          `kill -${pick([9, 15, 19, 1])} ${pick([...pids, 1])}`,
          `strace -p ${pick(pids)}`,
          `perl -e 'exit(syscall(101, 16, ${pick(pids)}, 0, 0) < 0)'`,
          `taskset -p 1 ${pick(pids)}`,
          `prlimit --pid ${pick(pids)} --nofile=1`,
        ]),
      ),
  },
  {
    kind: 'connections out of the testbed',
    count: 500,
    text: (pick, _, { port }) =>
      quiet(
        `: </dev/${pick(['tcp', 'udp'])}/${pick([`127.0.0.1/${port}`, `::1/${port}`, '169.254.169.254/80', '1.1.1.1/53'])}`,
      ),
  },
  {
    kind: 'disks and descriptors',
    count: 150,
    text: (pick, whole) =>
      quiet(
        pick([
          `head -c ${whole(90)}M /dev/zero >/tmp/fill${whole(5)}`,
          `for i in {1..300}; do : >/tmp/${whole(1000)}-$i; done`,
          `for i in {10..1100}; do eval "exec $i</dev/null" || break; done`,
          `mkdir -p /tmp/$(printf 'd/%.0s' {1..200})`,
          `rm -rf /tmp/*`,
        ]),
      ),
  },
  { kind: 'memory', count: 4, text: () => quiet(`perl -e '$all = "x" x 2e9'`) },
  {
    kind: 'garbage',
    count: 200,
    last: true,
    text: (_, whole) => String.fromCharCode(...Array.from({ length: 100 + whole(3000) }, () => whole(0x250))),
  },
  {
    kind: 'huge pastes',
    count: 4,
    last: true,
    text: (pick) => `\u001b[200~${pick(['echo hostile\u001b[201~\n', '$(', 'é', '"'])}`.repeat(80_000),
  },
  {
    kind: 'endless output',
    count: 16,
    last: true,
    text: (pick) =>
      `${pick(['yes', 'cat /dev/zero', 'cat /dev/urandom', 'while :; do printf "\\033]0;x"; done', 'tail -f /dev/zero & yes'])}\n`,
  },
  {
    kind: 'ends of everything',
    count: 20,
    last: true,
    text: (pick) =>
      `${pick(['kill -9 -1', 'exec false', 'kill -STOP $$', 'trap "" HUP TERM; sleep 99999 & disown -a; exec setsid sleep 99999'])}\n`,
  },
  {
    kind: 'fork bombs',
    count: 6,
    last: true,
    text: (pick) =>
      `${pick([':(){ :|:& };:', 'bomb() { setsid bash -c "$(declare -f bomb); bomb" & bomb; }; bomb', 'while :; do sleep 99999 & done'])}\n`,
  },
]

/** @returns 10,000 less the frames that {@link hostileFrames} has */
export function hostileInputs(seed: number, targets: Targets): HostileInput[] {
  const random = seeded(seed)
  const whole = (below: number): number => Math.floor(random() * below)
  const pick: Pick = (from) => {
    const one = from[whole(from.length)]
    if (one === undefined) throw new Error('there is nothing to pick from')
    return one
  }
  return kinds.flatMap(({ kind, count, last = false, text }) =>
    Array.from({ length: count }, () => ({ kind, last, text: text(pick, whole, targets) })),
  )
}

/** Messages of a page: a few are right, and most are malformed. */
export function hostileFrames(seed: number, count: number): (string | Buffer)[] {
  const random = seeded(seed)
  const whole = (below: number): number => Math.floor(random() * below)
  const makers: (() => string | Buffer)[] = [
    () => JSON.stringify({ type: 'size', rows: 1 + whole(500), columns: 1 + whole(1000) }),
    () => JSON.stringify({ type: 'size', rows: whole(5) - 2, columns: 1e9 * random() }),
    () => JSON.stringify({ type: 'keys', text: 'x'.repeat(whole(2000)) }),
    () => JSON.stringify({ type: 'keys', text: { text: [] } }),
    () => JSON.stringify({ type: '__proto__', rows: [] }),
    () => '{"type":"keys","text":"',
    () => '['.repeat(whole(1000)),
    () => Buffer.from(Array.from({ length: whole(1024) }, () => whole(256))),
    () => Buffer.alloc(1025 + whole(100_000)),
  ]
  return Array.from({ length: count }, () => makers[whole(makers.length)]?.() ?? '')
}

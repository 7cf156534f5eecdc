/** A stranger's first commands: a fresh clone, an empty home, and none of the tools, in a copy of the file system. */
import { execFile, spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { chmod, chown, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import { sizeAtRest } from '../faults/soak/size.ts'
import { openApp } from '../support/app.ts'
import type { Bench, Row } from '../support/table.ts'

const run = promisify(execFile)
const root = join(import.meta.dirname, '../../..')
const USER = 1000
const REPEATS = 4
const LINK = { what: 'From nothing to the link', limit: 20 }
const AGAIN = { what: 'Second `npm start` of a fresh clone', limit: 0.8 }
const VERDICT = { what: 'From nothing to the first verdict of a lab', limit: 45 }
const MEGABYTES = 100
const SERVER = { what: 'The built server alone, to its link', limit: 0.5 }
const REST_MB = 130
/** How long the server does nothing before its memory is read. */
const REST_MS = 20_000

/**
 * Runs a command as an ordinary user or as root. The kernel keeps every change of a file apart from this machine's own
 * files, in memory; the programs that the set-up gets are not there.
 */
const COPY = `
set -e
folder=$1 user=$2; shift 2
mount -t tmpfs -o size=80% tmpfs "$folder/layers"; cd "$folder/layers"; mkdir -p upper work root
mount -t overlay overlay -o lowerdir=/,upperdir=upper,workdir=work root
for program in $TOOLS; do rm -f root/usr/bin/$program root/usr/sbin/$program root/usr/local/bin/$program; done
rm -rf root/var/tmp/expresslane*
for name in proc dev sys; do mount --rbind /$name root/$name; done
mount --bind "$folder" "root$folder"
list() { find upper ! -type d -printf '/%P %s %T@\\n' | sort; }
list >before
status=0
mkdir root/outer
# In a chroot nobody can create a user namespace.
unshare --mount sh -c '
  folder=$1 user=$2; shift 2
  cd root; pivot_root . outer; umount -l /outer; cd "$folder/checkout"
  exec setpriv --reuid="$user" --regid="$user" --clear-groups env -i HOME="$folder/home" \
    PATH=/usr/local/bin:/usr/bin:/bin XDG_CACHE_HOME="$folder/home/cache" PORT=0 npm_config_update_notifier=false "$@"
' sh "$folder" "$user" "$@" &
echo $! >"$folder/command"
wait $! || status=$?
list | diff before - >"$folder/changed" || :
exit $status`

/** The programs of the sets, as scripts/setup/system-tools.mjs lists them. */
const TOOLS =
  'netperf netserver ip tc ss bridge iperf3 tcpdump nft iptables iptables-restore iptables-save ip6tables ' +
  'ip6tables-restore ip6tables-save tayga unbound drill ping ipvsadm ipset qemu-system-x86_64 modprobe depmod'

/** Bytes that this machine has received on its way to the network; others' are among them. */
function received(): number {
  const routes = readFileSync('/proc/net/route', 'utf8').split('\n')
  const [device] = routes.map((line) => line.split('\t')).find(([, to]) => to === '00000000') ?? []
  return device === undefined ? 0 : Number(readFileSync(`/sys/class/net/${device}/statistics/rx_bytes`, 'utf8'))
}

/** A command until a line of its output. */
interface Until {
  readonly seconds: number
  /** Received by the machine until the line. */
  readonly megabytes: number
  /** All lines, until its end. */
  readonly lines: string[]
}

interface Fresh {
  /** Runs a command, and ends it when a line of its output begins so. */
  until(begins: string, command: readonly string[]): Promise<Until>
  /** Files outside the folder of this clone that the last command changed. */
  changed(): string[]
}

async function inFreshClone<T>(user: number, work: (fresh: Fresh) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'expresslane-nothing-'))
  try {
    await chmod(folder, 0o755)
    for (const name of ['home', 'layers']) await mkdir(join(folder, name))
    await run('git', ['clone', '--quiet', '--no-hardlinks', root, join(folder, 'checkout')])
    await run('chown', ['-R', `${user}:${user}`, join(folder, 'home'), join(folder, 'checkout')])
    await chown(folder, user, user)
    return await work({
      until: (begins, command) => timeUntil(folder, user, begins, command),
      changed: () =>
        readFileSync(join(folder, 'changed'), 'utf8')
          .split('\n')
          .filter((line) => /^[<>]/.test(line)),
    })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function timeUntil(folder: string, user: number, begins: string, command: readonly string[]): Promise<Until> {
  const began = performance.now()
  const before = received()
  const copy = spawn('unshare', ['--mount', 'sh', '-c', COPY, 'sh', folder, `${user}`, ...command], {
    env: { PATH: process.env['PATH'], TOOLS },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const ended = new Promise((resolve) => void copy.once('close', resolve))
  let [seconds, megabytes] = [Number.NaN, Number.NaN]
  const lines: string[] = []
  for (const stream of [copy.stdout, copy.stderr]) {
    createInterface({ input: stream }).on('line', (line) => {
      lines.push(line)
      if (!line.startsWith(begins)) return
      seconds = (performance.now() - began) / 1000
      megabytes = (received() - before) / 1e6
      // The shell of the copy goes on, and lists what changed. A lab ends by itself, too.
      const pid = readFileSync(join(folder, 'command'), 'utf8').trim()
      if (existsSync(`/proc/${pid}`)) process.kill(Number(pid), 'SIGTERM')
    })
  }
  await ended
  if (Number.isNaN(seconds)) throw new Error(`${command.join(' ')} ended early:\n${lines.slice(-20).join('\n')}`)
  return { seconds, megabytes, lines }
}

/** `Installed the packages in 12.1 s.`: the parts that the set-up names. @param lines of its output */
function parts(lines: readonly string[]): string {
  const found = lines.filter((line) => /^(?:Got|Installed|Built) the .* in [\d.]+ s\.$/.test(line))
  return `${found.join(' ')} Load ${loadavg()[0]?.toFixed(1)}`
}

function row({ what, limit }: { what: string; limit: number }, seconds: number, how: string): Row {
  return { what, bound: `<= ${limit} s`, measured: `${seconds.toFixed(1)} s`, how, holds: seconds <= limit }
}

/** Starts the built server of this checkout: from memory, after a first start that fills V8's compile cache. */
async function serverAlone(): Promise<Row[]> {
  const first = await openApp()
  await first.close()
  const began = performance.now()
  const app = await openApp()
  const seconds = (performance.now() - began) / 1000
  const { rss } = await sizeAtRest(app.server.pid ?? 0, REST_MS)
  await app.close()
  return [
    row(SERVER, seconds, `Load ${loadavg()[0]?.toFixed(1)}`),
    {
      what: 'Memory of the server at rest',
      bound: `<= ${REST_MB} MB`,
      measured: `${rss.toFixed(0)} MB`,
      how: `VmRSS, ${REST_MS / 1000} s after its start`,
      holds: rss <= REST_MB,
    },
  ]
}

/** `npm start` as an ordinary user, twice, and a lab as root. */
export const fromNothing: Bench = async () => {
  if (process.getuid?.() !== 0) throw new Error('from-nothing makes a copy of the file system, as root alone can')
  const ready = 'Expresslane is ready: '
  const started = await inFreshClone(USER, async ({ until, changed }) => {
    const first = await until(ready, ['npm', 'start'])
    const others = changed()
    // The first start went on after the link.
    await until('Prepared the next start in', ['npm', 'start'])
    const second = await until(ready, ['npm', 'start'])
    return { first, second, others }
  })
  const lab = await inFreshClone(0, ({ until, changed }) =>
    until('{"metric":"tps"', ['npm', 'run', 'lab', '--', 'big-tcp-ipv4', '--repeats', `${REPEATS}`]).then((end) => ({
      ...end,
      others: changed(),
    })),
  )
  const others = [...started.others, ...lab.others]
  return [
    ...(await serverAlone()),
    row(LINK, started.first.seconds, parts(started.first.lines)),
    {
      what: 'Downloads until then',
      bound: `<= ${MEGABYTES} MB`,
      measured: `${started.first.megabytes.toFixed(0)} MB`,
      how: 'all that the machine received',
      holds: started.first.megabytes <= MEGABYTES,
    },
    row(AGAIN, started.second.seconds, parts(started.second.lines)),
    row(VERDICT, lab.seconds, `${REPEATS} repeats, as root. ${parts(lab.lines)}`),
    {
      what: 'Files that they change outside the checkout and the home',
      bound: 'none',
      measured: others.length === 0 ? 'none' : others.slice(0, 3).join(' '),
      how: 'a copy of the file system that keeps what changes',
      holds: others.length === 0,
    },
  ]
}

/** The root folder of a terminal on this machine: its programs, to be read alone, and nothing of a person's. Pure. */
import { dirname } from 'node:path'
import { after, type Confine } from '../../terminal.ts'
import { forbidding } from './system-calls.ts'

/** The folders of a system's programs and libraries. Where the first ones are links, they are made again. */
const system = ['/usr', '/bin', '/sbin', '/lib', '/lib64']
/** The files of /etc that programs of labs read. */
const configuration = [
  'alternatives',
  'iproute2',
  'ld.so.cache',
  'ld.so.conf',
  'ld.so.conf.d',
  'protocols',
  'services',
  'xtables.conf',
].map((name) => `/etc/${name}`)

/** A folder of programs beside the system's, with their libraries: `SET/bin/PACKAGE`. */
function withLibraries(folder: string): string {
  return /\/bin\/[^/]+$/.test(folder) ? dirname(dirname(folder)) : folder
}

/** Where {@link boundedArgv} mounts the only folder that terminals can write to. */
const WRITABLE = '/run/terminals'
const FORBIDDEN = '/run/terminals.bpf'

/** A string for Bash's printf. */
const escaped = (bytes: Buffer): string => [...bytes].map((byte) => `\\x${byte.toString(16).padStart(2, '0')}`).join('')

/**
 * The limits that all terminals of a testbed share, in KiB where they are memory.
 *
 * - A user namespace inside the testbed's would bring back the rights that a terminal lacks.
 * - No limit of a process holds for memory of System V IPC. Linux before 6.10 lets only the host's root change it.
 * - The kernel counts processes by user namespace, so the server's own are not among the 256.
 */
const bounds = `set -e
mkdir -p ${WRITABLE}
mount -t tmpfs -o size=64m,nr_inodes=16k,mode=1777 tmpfs ${WRITABLE}
printf '${escaped(forbidding(process.arch === 'arm64' ? 'arm64' : 'x64'))}' >${FORBIDDEN}
mount -t sysfs sysfs /sys
echo 0 >/proc/sys/user/max_user_namespaces
cd /proc/sys/kernel
for limit in shmmni msgmni sem; do (echo 0 0 0 0 >$limit) 2>/dev/null || true; done
cd /
echo 1000 >/proc/self/oom_score_adj
ulimit -u 256 -v 1048576 -n 1024 -f 65536
exec "$@"`

/** The command line of a command that starts terminals, with the limits of all of them and a mount namespace of its own. */
export function boundedArgv(argv: readonly string[]): string[] {
  // The holder's /proc and /sys show the host's processes and devices, and bwrap and `ip -n` look for theirs. Namespaces that are named later
  // appear in the new mount namespace, too.
  const namespaces = ['unshare', '--propagation', 'slave', '--mount-proc', '--ipc']
  return [...namespaces, 'bash', '--norc', '-c', bounds, 'bash', ...argv]
}

/** Everything else on the CPUs goes before it, also where the kernel shares them out by session (sched(7), autogroup). */
const yielding = after(`(echo 10 >/proc/self/autogroup) 2>/dev/null\nexec 9<${FORBIDDEN}`)

/**
 * Gives a command a root folder, processes and devices of its own (bwrap(1)). It keeps the network namespace, and the
 * rights to change the network in it. CAP_SYS_ADMIN enters other network namespaces, and nothing else: `system-calls.ts`.
 *
 * @param programs the paths of the labs' programs: their folders are shown, too
 */
export function confinedWith(programs: readonly string[]): Confine {
  const own = programs.map(dirname).filter((folder) => !system.some((one) => `${folder}/`.startsWith(`${one}/`)))
  const shown = [...new Set([...system, ...configuration, ...own.map(withLibraries)])]
  const words = [
    'chrt --idle 0',
    'bwrap --unshare-pid --unshare-uts --die-with-parent --hostname expresslane --seccomp 9',
    '--cap-drop ALL --cap-add CAP_NET_ADMIN --cap-add CAP_NET_RAW --cap-add CAP_NET_BIND_SERVICE --cap-add CAP_SYS_ADMIN',
    `--bind ${WRITABLE} /tmp`,
    ...[...shown, '/run/netns'].map((folder) => `--ro-bind-try ${folder} ${folder}`),
    '--proc /proc --ro-bind /proc/sys/kernel /proc/sys/kernel --dev /dev --remount-ro /dev --ro-bind /sys /sys',
    '--remount-ro / --chdir / --',
  ].flatMap((line) => line.split(' '))
  return (argv, env) => yielding([...words, ...argv], env)
}

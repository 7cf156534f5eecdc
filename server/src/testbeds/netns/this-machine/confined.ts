/** The root folder of a terminal on this machine: its programs, to be read alone, and nothing of a person's. Pure. */
import { dirname } from 'node:path'

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

/**
 * The command line of a command with a root folder, processes and devices of its own (bwrap(1)). It keeps the network
 * namespace, and the rights in it.
 *
 * @param programs the paths of the labs' programs: their folders are shown, too
 */
export function confinedArgv(argv: readonly string[], programs: readonly string[]): string[] {
  const own = programs.map(dirname).filter((folder) => !system.some((one) => `${folder}/`.startsWith(`${one}/`)))
  const shown = [...new Set([...system, ...configuration, ...own.map(withLibraries)])]
  // `ip -n` takes /sys away for its own, which the kernel allows where another one stays.
  const words = [
    'bwrap --unshare-pid --unshare-ipc --unshare-uts --die-with-parent --hostname expresslane',
    ...shown.map((folder) => `--ro-bind-try ${folder} ${folder}`),
    '--bind /run/netns /run/netns --proc /proc --dev /dev --tmpfs /tmp --ro-bind /sys /sys --ro-bind /sys /run/sys --remount-ro / --chdir / --',
  ]
  return [...words.flatMap((line) => line.split(' ')), ...argv]
}

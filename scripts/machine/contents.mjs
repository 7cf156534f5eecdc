/** The files of the emulated computer besides its kernel: the agent, and Debian's programs for 32 bits. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { inRoot } from '../base/paths.mjs'
import { folder, link, textFile } from '../counted/contents.mjs'

/** @typedef {import('../counted/cpio.mjs').Entry} Entry */

/** By their paths in the packages. All programs are in one folder, and none of them twice: the first name found is the program. */
const programs = ['bin/dash', 'bin/ip', 'bin/netperf', 'bin/netserver', 'bin/ss', 'sbin/tc', 'bin/busybox']

const libraries = [
  'ld-linux libbpf libc libcap libcom_err libelf libgssapi_krb5 libk5crypto libkeyutils libkrb5 libkrb5support libm',
  'libmnl libpcre2-8 libresolv libselinux libtirpc libxtables libz libzstd',
].flatMap((line) => line.split(' '))

/** The programs of busybox that the labs call. Its shell is for terminals alone: it prefers its own `ip` to the program. */
const applets = [
  'awk cat chmod cp cut date dd dmesg echo env false find free grep head hostname id kill ln ls mkdir mknod mount mv',
  'nproc nsenter od pgrep ping printf ps pwd readlink rm rmdir sed seq setsid sleep sort stat stty sysctl tail taskset tee',
  'test time timeout top touch tr true umount uname uniq unshare uptime vi wc which xargs yes',
].flatMap((line) => line.split(' '))

const links = {
  '/bin': 'usr/bin',
  '/sbin': 'usr/bin',
  '/usr/sbin': 'bin',
  '/lib': 'usr/lib',
  '/usr/bin/sh': 'dash',
  ...Object.fromEntries(applets.map((name) => [`/usr/bin/${name}`, 'busybox'])),
}

const texts = {
  // Busybox's shell reads it in a terminal. What it has started ends with it.
  '/etc/terminal':
    "alias ip=/usr/bin/ip\ntrap 'for job in $(jobs -p); do kill -9 -$job; done 2>/dev/null' EXIT\ntrap exit TERM HUP\n",
  '/etc/passwd': 'root:x:0:0:root:/root:/bin/sh\nnobody:x:65534:65534:nobody:/:/bin/false\n',
  '/etc/group': 'root:x:0:\nnogroup:x:65534:\n',
  '/etc/hosts': '127.0.0.1 localhost\n::1 localhost\n',
  '/etc/nsswitch.conf': 'passwd: files\ngroup: files\nhosts: files\nprotocols: files\nservices: files\n',
  '/etc/os-release': 'PRETTY_NAME="a file system of Expresslane, with programs of Debian 13"\n',
}

/** @param {string} path @param {string} from @returns {Entry} */
const copy = (path, from) => ({ path, kind: 'file', mode: 0o755, content: readFileSync(from) })

/**
 * @param {string} root where Debian's packages are unpacked
 * @param {readonly string[]} sonames the libraries there, with the number of their interface
 * @returns {Entry[]}
 */
export function entriesOf(root, sonames) {
  const used = sonames.filter((name) => libraries.includes(name.replace(/\.so\.\d+$/, '')))
  return [
    ...['/dev', '/proc', '/sys', '/run', '/root', '/var/tmp'].map(folder),
    { ...folder('/tmp'), mode: 0o1777 },
    ...Object.entries(links).map(([path, target]) => link(path, target)),
    ...Object.entries(texts).map(([path, text]) => textFile(path, text)),
    ...programs.map((path) => copy(`/usr/bin/${path.replace(/^.*\//, '')}`, join(root, 'usr', path))),
    // The loader looks for libraries there, too.
    ...used.map((name) => copy(`/usr/lib/${name}`, join(root, 'usr', 'lib', 'i386-linux-gnu', name))),
    copy('/init', inRoot('server', 'native', 'bin', 'agent-x86')),
  ]
}

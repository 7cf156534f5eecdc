/** The text that goes with the emulated computer: whose programs are in it, and where exactly these sources are. */
import { locked } from './packages.mjs'

/** Packages by their source's name. The sources of the libraries are those of the packages' paths on a mirror. @type {Readonly<Record<string, string>>} */
const licences = {
  linux: 'GPL-2.0',
  busybox: 'GPL-2.0',
  iproute2: 'GPL-2.0',
  glibc: 'LGPL-2.1-or-later',
  netperf: 'MIT',
  dash: 'BSD-3-Clause',
  seabios: 'LGPL-3.0',
}

/** A package's path is `pool/main/b/busybox/...`: the source's name is before the file's. @param {string} path */
const sourceOf = (path) => path.split('/').at(-2) ?? ''

/** @param {string} v86 its version @returns {string} */
export function sourcesText(v86) {
  const firmwareAndKernel = locked('amd64').filter(({ name }) => ['seabios', 'linux-source-6.12'].includes(name))
  const lines = [...firmwareAndKernel, ...locked('i386')].map(({ name, version, path }) => {
    const source = sourceOf(path)
    return `| ${name} | ${version} | ${source} | ${licences[source] ?? 'see its copyright file'} |`
  })
  return `# What the emulated computer is made of

\`state.zst\` is the memory of a computer that runs programs of Debian 13 and a kernel that this project configures. Each program is
unchanged. Its complete source is Debian's source package of the version below: \`apt-get source SOURCE=VERSION\`, or
https://snapshot.debian.org/package/SOURCE/. A version that ends in \`+bN\` is built from the source without it. The copyright file of
each is in its package, and at https://metadata.ftp-master.debian.org/changelogs/. \`busybox-static\` contains glibc, of the version
that its package names as \`Static-Built-Using\`. The list has everything that the packages depend on, also what is not in the state.

The kernel is built from \`linux-source-6.12\` without changes. Its configuration and the scripts that build it and put everything together
are in \`scripts/machine\` of Expresslane's repository; the first process there is \`server/native/agent\` (Apache-2.0), which contains musl (MIT).

v86 ${v86} (\`v86.wasm\`) is under the BSD-2-Clause licence: https://github.com/copy/v86. It contains Berkeley SoftFloat (BSD-3-Clause) and
zstd (BSD-3-Clause).

| package | version | Debian's source | licence |
| --- | --- | --- | --- |
${lines.join('\n')}
`
}

/** The set-up's tools from a mirror of the test, in a copy of this machine's file system that keeps what changes. */
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { inRoot } from '../base/paths.mjs'
import { coreTools } from '../setup/system-tools.mjs'
import { architectures, formatLock } from '../tools/lock.mjs'

const run = promisify(execFile)
const arch = architectures[process.arch] ?? ''
const path = `pool/main/t/tools/tools_1_${arch}.deb`
const sha256 = (content: Buffer | string): string => createHash('sha256').update(content).digest('hex')

/** Everything in it may change: the checkout, the home, the mirror. */
let folder: string
const write = (name: string, text: string): void => {
  mkdirSync(join(folder, name, '..'), { recursive: true })
  writeFileSync(join(folder, name), text)
}

/** One package with all tools of the first set, each a script that says its name. */
async function buildPackage(): Promise<Buffer> {
  write(
    'tools/DEBIAN/control',
    `Package: tools\nVersion: 1\nArchitecture: ${arch}\nMaintainer: a test\nDescription: tools\n`,
  )
  for (const { commands, from = {} } of coreTools) {
    for (const command of commands) {
      const file = `tools/usr/bin/${from[command] ?? command}`
      write(file, `#!/bin/sh\necho "ip utility, iproute2-6.15.0, from the mirror"\n`)
      chmodSync(join(folder, file), 0o755)
    }
  }
  await run('dpkg-deb', ['--root-owner-group', '--build', join(folder, 'tools'), join(folder, 'tools.deb')])
  return readFileSync(join(folder, 'tools.deb'))
}

/** @param files by their paths on the mirror */
async function serve(files: ReadonlyMap<string, Buffer | string>): Promise<string> {
  const server = createServer((request, response) => {
    const content = files.get((request.url ?? '').slice(1))
    response.writeHead(content === undefined ? 404 : 200).end(content)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const address = server.address()
  return `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
}

/** The index of a release, as a mirror has it. */
function indexOf(content: Buffer, at: string): (readonly [string, Buffer | string])[] {
  const fields = { Package: 'tools', Version: '1', Architecture: arch, Filename: at, SHA256: sha256(content) }
  const lines = Object.entries({ ...fields, Size: content.length }).map(([name, value]) => `${name}: ${value}\n`)
  const packages = `${lines.join('')}\n`
  return ['trixie', 'trixie-updates'].flatMap((suite) => {
    const name = `main/binary-${arch}/Packages`
    const release = `Suite: ${suite}\nCodename: ${suite}\nArchitectures: ${arch}\nComponents: main\nDate: Sat, 01 Aug 2026 00:00:00 UTC\nSHA256:\n ${sha256(packages)} ${packages.length} ${name}\n`
    return [
      [`dists/${suite}/Release`, release],
      [`dists/${suite}/${name}`, packages],
    ]
  })
}

/**
 * Sets up in the copy. The folder of the test is the same one there.
 *
 * @returns the words, and the lines of all files that changed outside the folder
 */
async function setUp(
  mirror: string,
  id = 'debian',
  variables = 'NONE=',
): Promise<{ words: string; changed: string[] }> {
  const script = `
    set -e
    mount -t tmpfs tmpfs "$1/layers" && cd "$1/layers" && mkdir upper work root
    $4 root
    mount --bind "$1/apt" root/etc/apt && mount --bind "$1/os-release" root/etc/os-release
    for name in proc dev sys; do mount --rbind "/$name" "root/$name"; done
    mount --bind "$1" "root$1"
    list() { find upper -type d -printf '/%P\\n' -o -printf '/%P %s %T@\\n' | sort; }
    list >before
    /usr/sbin/chroot root /usr/bin/env -i HOME="$1/home" PATH="$3" "$5" "$2" "$1/checkout/scripts/run.mjs" tools >"$1/words" 2>&1 || :
    list | diff before - || :`
  write('layers/none', '')
  write('apt/sources.list.d/mirror.list', `deb [trusted=yes] ${mirror} bookworm main\n`)
  write('os-release', `ID=${id}\nID_LIKE=debian\nVERSION_CODENAME=bookworm\n`)
  const isRoot = process.getuid?.() === 0
  const user = isRoot ? [] : ['--user', '--map-root-user']
  // The kernel makes no copy for an ordinary user, who can't change the system's files anyway.
  const copy = isRoot ? 'mount -t overlay overlay -o lowerdir=/,upperdir=upper,workdir=work' : 'mount --rbind /'
  const { stdout } = await run('unshare', [
    ...user,
    '--mount',
    'sh',
    '-c',
    script,
    'sh',
    folder,
    process.execPath,
    noTools(),
    copy,
    variables,
  ])
  return {
    words: readFileSync(join(folder, 'words'), 'utf8'),
    changed: stdout.split('\n').filter((line) => line !== ''),
  }
}

/** A folder with the programs that the set-up needs, and none of the tools. */
function noTools(): string {
  for (const name of ['apt-get', 'apt-cache', 'dpkg-deb', 'grep', 'sh', 'tar', 'xz', 'cat', 'rm']) {
    const found = ['/usr/bin', '/bin'].map((place) => join(place, name)).find((file) => existsSync(file)) ?? ''
    write(`path/${name}`, `#!/bin/sh\nPATH=/usr/bin:/bin exec ${found} "$@"\n`)
    chmodSync(join(folder, 'path', name), 0o755)
  }
  return join(folder, 'path')
}

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'expresslane-tools-'))
  chmodSync(folder, 0o755)
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  cpSync(inRoot('scripts'), join(folder, 'checkout', 'scripts'), { recursive: true })
  write('checkout/package.json', '{"type": "module"}')
  mkdirSync(join(folder, 'home'))
})

/** @param content of the package that the lock names */
function lock(content: Buffer): void {
  const named = { arch, sets: ['core'] as const, name: 'tools', version: '1', size: content.length, path }
  write('checkout/scripts/tools/debian.lock', formatLock([{ ...named, sha256: sha256(content) }]))
}

test('the tools come, and no file changes outside the checkout and the home', async () => {
  const content = await buildPackage()
  lock(content)
  const { words, changed } = await setUp(await serve(new Map([[path, content]])))
  expect(words).toContain('nothing is installed')
  expect(changed).toEqual([])
  const { stdout } = await run('find', [folder, '-path', '*/core/bin/netperf/netperf'])
  expect((await run(stdout.trim())).stdout).toContain('from the mirror')
})

test('what a killed set-up left is not taken for a set, and goes', async () => {
  const content = await buildPackage()
  lock(content)
  const mirror = await serve(new Map([[path, content]]))
  await setUp(mirror)
  const core = (await run('find', [folder, '-path', '*/tools-*/core'])).stdout.trim()
  // No process has this number: it is above the largest that the kernel gives.
  renameSync(core, `${core}/../work-${2 ** 22 + 1}-killed`)
  await setUp(mirror)
  expect(readdirSync(join(core, '..'))).toEqual(['core'])
})

test('a package that a point release replaced is found in the index', async () => {
  const content = await buildPackage()
  lock(Buffer.from('the package before it'))
  const newer = path.replace('tools_1_', 'tools_2_')
  const { words, changed } = await setUp(await serve(new Map([[newer, content] as const, ...indexOf(content, newer)])))
  expect(words).not.toContain('expresslane:')
  expect(changed).toEqual([])
  expect((await run('find', [folder, '-path', '*/core/bin/netperf/netperf'])).stdout).not.toBe('')
})

test('another package than the lock names is not used', async () => {
  const content = await buildPackage()
  lock(content)
  const { words } = await setUp(await serve(new Map([[path, Buffer.concat([content, Buffer.from('more')])]])))
  expect(words).toContain("The mirror's package tools 1 is not the one that the lock names")
  expect((await run('find', [folder, '-path', '*/tools-*/*'])).stdout).toBe('')
})

test('a relative of Debian gets a command, or the packages of a mirror that is named', async () => {
  const content = await buildPackage()
  lock(content)
  const mirror = await serve(new Map([[path, content]]))
  expect((await setUp(mirror, 'ubuntu')).words).toContain('sudo apt-get install --no-install-recommends netperf')
  const { words } = await setUp(mirror, 'ubuntu', `EXPRESSLANE_DEBIAN_MIRROR=${mirror}`)
  expect(words).not.toContain('expresslane:')
  expect((await run('find', [folder, '-path', '*/core/bin/netperf/netperf'])).stdout).not.toBe('')
})

test('a mirror that has neither the package nor an index is named', async () => {
  lock(Buffer.from('a package'))
  const mirror = await serve(new Map())
  const { words } = await setUp(mirror)
  expect(words).toContain("apt could not fetch the index of Debian trixie from this machine's mirror")
})

/** A copy of this checkout with a feature of the test's own, made with nothing but new files and a line in each registry. */
import { execFile } from 'node:child_process'
import { cp, lstat, mkdir, mkdtemp, readdir, readFile, readlink, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'

const root = join(import.meta.dirname, '../..')
const parts = join(import.meta.dirname, 'parts')
const packages = ['shared', 'server', 'web']
const run = promisify(execFile)

/** Each registry, and what it imports of the feature. */
const imports: Readonly<Record<string, string>> = {
  'server/src/features/registry.ts': "{ segmentSize } from './segment-size/feature.ts'",
  'shared/src/features/abouts.ts': "{ about as segmentSize } from './segment-size/about.ts'",
  'shared/src/features/registry.ts': "{ segmentSize } from './segment-size/feature.ts'",
}
export const registries = Object.keys(imports)

/** What the feature adds: each file, and the part that it is made of. */
const added: Readonly<Record<string, string>> = {
  'labs/segment-size.md': 'lab.md',
  'server/src/features/segment-size/feature.ts': 'server-feature.ts.txt',
  'shared/src/features/segment-size/about.ts': 'shared-about.ts.txt',
  'shared/src/features/segment-size/feature.ts': 'shared-feature.ts.txt',
}
export const addedFiles = Object.keys(added)

/** The files of the project, as git knows them and as they are now. */
async function projectFiles(): Promise<string[]> {
  const list = async (...options: string[]): Promise<string[]> =>
    (await run('git', ['ls-files', '-z', ...options], { cwd: root, maxBuffer: 2 ** 26 })).stdout.split('\0')
  const gone = new Set(await list('--deleted'))
  const files = await list('--cached', '--others', '--exclude-standard')
  return files.filter((file) => file !== '' && !gone.has(file))
}

/** The packages that were installed here, with the project's own taken from the copy. */
async function linkModules(copy: string): Promise<void> {
  await symlink(join(root, 'node_modules'), join(copy, 'node_modules'))
  for (const name of packages) {
    const [from, to] = [join(root, name, 'node_modules'), join(copy, name, 'node_modules')]
    await mkdir(join(to, '@expresslane'), { recursive: true })
    await symlink(join(copy, 'shared'), join(to, '@expresslane', 'shared'))
    const installed = (await readdir(from)).filter((one) => one !== '@expresslane' && !one.startsWith('.'))
    await Promise.all(installed.map((one) => symlink(join(from, one), join(to, one))))
  }
}

/** What is in a file, byte by byte; of a link, where it leads. */
async function content(path: string): Promise<string> {
  if ((await lstat(path)).isSymbolicLink()) return readlink(path)
  return readFile(path, 'latin1')
}

async function register(copy: string, file: string, imported: string): Promise<void> {
  const before = await readFile(join(copy, file), 'utf8')
  const after = before
    .replace(/^import \{ (about as )?bigTcp \}.*$/m, (line) => `${line}\nimport ${imported}`)
    .replace(/\[(\s*)bigTcp,/, '[$1bigTcp, segmentSize,')
  await writeFile(join(copy, file), after)
}

export interface Checkout {
  readonly path: string
  /** The project's files that are not as they were, and those that are new. */
  differences(): Promise<{ readonly changed: string[]; readonly added: string[] }>
  /** Runs a program in the copy. @throws with its output where it fails */
  run(program: string, argv: readonly string[], env?: Record<string, string>, cwd?: string): Promise<string>
  remove(): Promise<void>
}

export async function copyWithFeature(): Promise<Checkout> {
  const copy = await mkdtemp(join(tmpdir(), 'expresslane-feature-'))
  /** Every file of the project as it was copied: this checkout may change while a test runs. */
  const files = new Map<string, string>()
  for (const file of await projectFiles()) {
    await mkdir(dirname(join(copy, file)), { recursive: true })
    await cp(join(root, file), join(copy, file), { verbatimSymlinks: true })
    files.set(file, await content(join(copy, file)))
  }
  await linkModules(copy)
  for (const [file, part] of Object.entries(added)) {
    await mkdir(dirname(join(copy, file)), { recursive: true })
    await cp(join(parts, part), join(copy, file), { errorOnExist: true, force: false })
  }
  for (const [file, imported] of Object.entries(imports)) await register(copy, file, imported)
  return {
    path: copy,
    async differences() {
      const compared = [...files].map(async ([file, was]) => (was === (await content(join(copy, file))) ? [] : [file]))
      const changed = (await Promise.all(compared)).flat()
      const now = await readdir(copy, { recursive: true, withFileTypes: true })
      const paths = now
        .filter((one) => one.isFile())
        .map(({ parentPath, name }) => join(parentPath, name).slice(copy.length + 1))
      return {
        changed: changed.toSorted(),
        added: paths.filter((file) => !files.has(file) && !/(^|\/)(node_modules|dist)\//.test(file)).toSorted(),
      }
    },
    async run(program, argv, env = {}, cwd = '.') {
      const options = { cwd: join(copy, cwd), env: { ...process.env, ...env }, maxBuffer: 2 ** 26 }
      const { stdout } = await run(program, [...argv], options).catch((error: unknown) => {
        const { stdout: out = '', stderr = '' } = error as { stdout?: string; stderr?: string }
        throw new Error(`${program} ${argv.join(' ')} failed\n${out}\n${stderr}`, { cause: error })
      })
      return stdout
    },
    remove: () => rm(copy, { recursive: true, force: true }),
  }
}

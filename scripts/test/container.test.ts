/** How the container is confined, and that everything that is fetched from elsewhere is named by its hash. */
import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { inRoot } from '../base/paths.mjs'
import { refusedCalls } from '../image/calls.mjs'

interface Rule {
  readonly names: readonly string[]
  readonly action: string
  readonly errnoRet?: number
}

interface Profile {
  readonly defaultAction: string
  readonly defaultErrnoRet: number
  readonly syscalls: readonly Rule[]
}

const read = (...path: string[]): string => readFileSync(inRoot(...path), 'utf8')
const profile: Profile = JSON.parse(read('manifests', 'seccomp.json'))
const actionOf = (call: string): string =>
  profile.syscalls.find(({ names }) => names.includes(call))?.action ?? profile.defaultAction

test('a system call that the profile does not name is refused with EPERM', () => {
  expect(profile).toMatchObject({ defaultAction: 'SCMP_ACT_ERRNO', defaultErrnoRet: 1 })
  expect(actionOf('a_call_of_the_future')).toBe('SCMP_ACT_ERRNO')
})

test.each([...refusedCalls, 'open_tree_attr', 'ptrace', 'process_vm_writev', 'kcmp', 'pivot_root', 'chroot', 'reboot'])(
  '%s is refused',
  (call) => {
    expect(actionOf(call)).toBe('SCMP_ACT_ERRNO')
  },
)

test.each(['unshare', 'setns', 'clone', 'clone3', 'mount', 'umount2', 'execve', 'openat'])('%s is allowed', (call) => {
  expect(actionOf(call)).toBe('SCMP_ACT_ALLOW')
})

test('a call is named once, or allowed for some arguments alone', () => {
  const all = profile.syscalls.filter((rule) => !('args' in rule)).flatMap(({ names }) => names)
  expect(all.filter((name, index) => all.indexOf(name) !== index)).toEqual([])
  const some = profile.syscalls.filter((rule) => 'args' in rule).flatMap(({ names }) => names)
  expect(all.filter((name) => some.includes(name))).toEqual([])
})

test('docker-compose.yml uses the profile, writes nothing outside of memory and the volume, and has bounds', () => {
  const compose = read('docker-compose.yml')
  for (const line of [
    'seccomp=manifests/seccomp.json',
    'no-new-privileges',
    'cap_drop: [ALL]',
    'read_only: true',
    'pids_limit:',
    'mem_limit:',
  ]) {
    expect(compose).toContain(line)
  }
  expect(compose).not.toContain('seccomp=unconfined')
})

test.each(['Dockerfile', 'manifests/netperf-image/Dockerfile'])('%s begins with an image by its digest', (file) => {
  const text = read(file)
  expect(/^ARG BASE=(.*)$/m.exec(text)?.[1]).toMatch(/^debian:trixie-slim@sha256:[0-9a-f]{64}$/)
  const bases = [...text.matchAll(/^FROM (\S+)/gm)].map(([, base]) => base)
  // A stage can begin with a stage before it.
  const stages = [...text.matchAll(/^FROM \S+ AS (\S+)$/gm)].map(([, stage]) => stage)
  expect(bases[0]).toBe('${BASE}')
  expect(['${BASE}', ...stages]).toEqual(expect.arrayContaining(bases))
})

test('the CI uses actions by their commit and images by their digest', () => {
  const workflows = readdirSync(inRoot('.github', 'workflows')).map((name) => read('.github', 'workflows', name))
  const uses = workflows.flatMap((text) => [...text.matchAll(/^\s*-? ?uses: (.*)$/gm)].map(([, action]) => action))
  expect(uses.length).toBeGreaterThan(0)
  for (const action of uses) expect(action).toMatch(/^[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/)
  const images = workflows.flatMap((text) => [...text.matchAll(/^\s*image: (.*)$/gm)].map(([, image]) => image))
  for (const image of images) expect(image).toMatch(/@sha256:[0-9a-f]{64}$/)
})

/** The clusters of a kubeconfig, by kubectl's rules, and the errors of a kubeconfig that is wrong. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { LabError } from '@expresslane/shared/base/errors'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { listContexts, unreadableKubeconfig } from '../../../../src/testbeds/kubernetes/api/contexts.ts'
import { openContext } from '../../../../src/testbeds/kubernetes/api/kubeconfig.ts'

const SECRET = 'a-token-that-nobody-may-see'
let dir: string

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'expresslane-kubeconfig-'))
})
afterEach(() => rmSync(dir, { recursive: true }))

interface Content {
  readonly current?: string
  readonly contexts: Readonly<Record<string, string>>
}

/** @param name of the file; each context has a cluster of the same name at its server */
function write(name: string, { current, contexts }: Content): string {
  const names = Object.keys(contexts)
  const file = join(dir, name)
  writeFileSync(
    file,
    JSON.stringify({
      apiVersion: 'v1',
      kind: 'Config',
      'current-context': current ?? '',
      clusters: names.map((one) => ({ name: one, cluster: { server: contexts[one] } })),
      users: [{ name: 'me', user: { token: SECRET } }],
      contexts: names.map((one) => ({ name: one, context: { cluster: one, user: 'me' } })),
    }),
  )
  return file
}

function refusal(work: () => unknown): LabError {
  try {
    work()
  } catch (error) {
    if (error instanceof LabError) return error
  }
  throw new Error('it was not refused')
}

describe('contexts', () => {
  it('are asked over HTTP/1.1 alone', () => {
    const file = write('first', { current: 'a', contexts: { a: 'https://a.example:1' } })
    const config = openContext({ KUBECONFIG: file }, 'a')
    const options = config.createDispatcherOptions(config.getCurrentCluster(), { ca: 'a certificate' })
    expect(options).toMatchObject({ type: 'agent', connect: { ca: 'a certificate', allowH2: false } })
  })

  it('are those of KUBECONFIG, merged: of each name and of the current context the first counts', () => {
    const first = write('first', { current: 'a', contexts: { a: 'https://a.example:1', b: 'https://b.example:1' } })
    const second = write('second', {
      current: 'c',
      contexts: { b: 'https://other.example:1', c: 'https://c.example:1' },
    })
    const env = { KUBECONFIG: [first, join(dir, 'absent'), second].join(delimiter) }
    expect(listContexts(env).map(({ name, current }) => [name, current])).toEqual([
      ['a', true],
      ['b', false],
      ['c', false],
    ])
    expect(openContext(env, 'b').getCurrentCluster()?.server).toBe('https://b.example:1')
    expect(openContext(env, 'c').getCurrentContext()).toBe('c')
    expect(JSON.stringify(listContexts(env))).not.toContain(SECRET)
  })

  it('say whether the API server has to prove who it is', () => {
    const cluster = (skip: object) => ({ server: 'https://a.example', ...skip })
    const file = join(dir, 'skips')
    const clusters = [
      { name: 'checked', cluster: cluster({}) },
      { name: 'said', cluster: cluster({ 'insecure-skip-tls-verify': false }) },
      { name: 'skipped', cluster: cluster({ 'insecure-skip-tls-verify': true }) },
    ]
    const contexts = [...clusters, { name: 'nowhere' }].map(({ name }) => ({
      name,
      context: { cluster: name, user: 'me' },
    }))
    writeFileSync(file, JSON.stringify({ clusters, users: [{ name: 'me', user: { token: SECRET } }], contexts }))
    expect(listContexts({ KUBECONFIG: file }).map(({ name, insecure }) => [name, insecure])).toEqual([
      ['checked', false],
      ['said', false],
      ['skipped', true],
      ['nowhere', false],
    ])
  })

  it('are none without a kubeconfig, outside of a pod', () => {
    expect(listContexts({ HOME: dir })).toEqual([])
    expect(refusal(() => openContext({ HOME: dir }, null))).toMatchObject({ code: 'kubeconfig_invalid' })
  })

  it('come from the home directory if KUBECONFIG is empty', () => {
    expect(refusal(() => listContexts({ HOME: dir, KUBECONFIG: join(dir, 'gone') })).message).toContain('gone')
  })
})

describe('a context', () => {
  it('has to be chosen', () => {
    const env = { KUBECONFIG: write('config', { current: 'a', contexts: { a: 'https://a.example:1' } }) }
    expect(refusal(() => openContext(env, null))).toMatchObject({
      code: 'context_not_chosen',
      remedy: 'Choose a context of the kubeconfig: a.',
    })
  })

  it('has to be in the kubeconfig', () => {
    const env = { KUBECONFIG: write('config', { current: 'a', contexts: { a: 'https://a.example:1' } }) }
    expect(refusal(() => openContext(env, 'z'))).toMatchObject({ code: 'kubeconfig_invalid', message: /"z"/ })
  })

  it('is refused over plain HTTP, which would expose the credentials', () => {
    const env = { KUBECONFIG: write('config', { contexts: { a: 'http://127.0.0.1:8001' } }) }
    expect(refusal(() => openContext(env, 'a'))).toMatchObject({ code: 'kubeconfig_invalid', message: /plain HTTP/ })
  })

  it('needs a readable kubeconfig, and the error shows no secret', () => {
    const file = join(dir, 'broken')
    writeFileSync(file, `users:\n- name: me\n  user:\n    token: ${SECRET}\n   broken: [\n`)
    const error = refusal(() => openContext({ KUBECONFIG: file }, 'a'))
    expect(error).toMatchObject({ code: 'kubeconfig_invalid', message: expect.stringContaining(file) as string })
    expect(JSON.stringify(error.toProblem())).not.toContain(SECRET)
  })
})

it('says who may not read the file', () => {
  const refused = Object.assign(new Error('EACCES: permission denied'), { code: 'EACCES' })
  expect(unreadableKubeconfig('/kube/config', refused).remedy).toContain(`setfacl -m u:${process.getuid?.()}:r`)
  expect(unreadableKubeconfig('/kube/config', new Error('bad indentation')).remedy).toContain('Correct it')
})

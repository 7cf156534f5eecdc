/** The access variables of the environment: accepted and refused values. */
import { LabError } from '@expresslane/shared/base/errors'
import { describe, expect, it } from 'vitest'
import { readConfig } from '../../src/config.ts'
import { typedHost } from '../../src/access/addresses.ts'

function refusal(env: Record<string, string>): LabError {
  try {
    readConfig(env)
  } catch (error) {
    if (error instanceof LabError) return error
  }
  throw new Error('it was not refused')
}

describe('the environment', () => {
  it('may be empty: this machine alone, port 7070, the XDG state directory', () => {
    const config = readConfig({ XDG_STATE_HOME: '/state', HOST: '', PORT: '' })
    expect(config).toMatchObject({ host: '127.0.0.1', port: 7070, token: null, origins: [], logLevel: 'warn' })
    expect(config.dataDir).toBe('/state/expresslane')
    expect(readConfig({}).dataDir).toMatch(/\/\.local\/state\/expresslane$/)
    expect(readConfig({ EXPRESSLANE_DATA: '/data', XDG_STATE_HOME: '/state' }).dataDir).toBe('/data')
  })

  it('names the cluster, the namespace and the image of the workload', () => {
    expect(readConfig({}).kubernetes).toMatchObject({
      context: null,
      namespace: 'expresslane',
      image: expect.stringMatching(/^docker\.io\/library\/busybox:\S+@sha256:[0-9a-f]{64}$/),
      isBare: true,
      podSeconds: 14_400,
    })
    const env = { KUBECONFIG: '/k', EXPRESSLANE_CONTEXT: 'prod', EXPRESSLANE_NAMESPACE: 'lab-1' }
    expect(
      readConfig({ ...env, EXPRESSLANE_NETPERF_IMAGE: 'example.org/netperf:1@sha256:ab' }).kubernetes,
    ).toMatchObject({
      env: { KUBECONFIG: '/k' },
      context: 'prod',
      namespace: 'lab-1',
      image: 'example.org/netperf:1@sha256:ab',
      isBare: false,
    })
    expect(readConfig({ EXPRESSLANE_BASE_IMAGE: 'example.org/busybox' }).kubernetes).toMatchObject({
      image: 'example.org/busybox',
      isBare: true,
    })
  })

  it('names the kernel of the counted machine', () => {
    expect(readConfig({}).countedKernel).toBeNull()
    const release = '6.12.117+deb12-cloud-amd64'
    expect(readConfig({ EXPRESSLANE_COUNTED_KERNEL: release }).countedKernel).toBe(release)
    for (const wrong of ['newest', '../6.12', '6.12 6.13']) {
      expect(refusal({ EXPRESSLANE_COUNTED_KERNEL: wrong }), wrong).toMatchObject({ code: 'config_invalid' })
    }
  })

  it('runs counted machines here, or in pods of a namespace', () => {
    expect(readConfig({}).podsIn).toBeNull()
    expect(readConfig({ EXPRESSLANE_TESTBEDS: 'kubernetes' }).podsIn).toBe('expresslane-testbeds')
    const own = { EXPRESSLANE_TESTBEDS: 'kubernetes', EXPRESSLANE_TESTBEDS_NAMESPACE: 'room-1' }
    expect(readConfig(own).podsIn).toBe('room-1')
    for (const wrong of [
      { EXPRESSLANE_TESTBEDS: 'docker' },
      { ...own, EXPRESSLANE_TESTBEDS_NAMESPACE: 'kube-system' },
    ]) {
      expect(refusal(wrong)).toMatchObject({ code: 'config_invalid' })
    }
  })

  it('names hosts for ssh, which gets no secret of this server', () => {
    expect(readConfig({}).ssh).toBeNull()
    for (const destination of ['host', 'me@host.example.org', 'me@[2001:db8::1]']) {
      expect(readConfig({ EXPRESSLANE_SSH: destination }).ssh?.hosts).toEqual([{ destination, card: null }])
    }
    const { ssh } = readConfig({ EXPRESSLANE_SSH: 'host', EXPRESSLANE_TOKEN: 'secret-secret', SSH_AUTH_SOCK: '/s' })
    expect(ssh?.env).toEqual({ SSH_AUTH_SOCK: '/s' })
    expect(readConfig({ EXPRESSLANE_SSH: 'me@a=eth1 b' }).ssh?.hosts).toEqual([
      { destination: 'me@a', card: 'eth1' },
      { destination: 'b', card: null },
    ])
    for (const wrong of [
      '-oProxyCommand=id',
      'three hosts here',
      'host;id',
      '$(id)',
      'host=eth1',
      'a -b',
      'a b=',
      'a b=x;id',
      'a b=-d',
    ]) {
      expect(refusal({ EXPRESSLANE_SSH: wrong }), wrong).toMatchObject({ code: 'config_invalid' })
    }
  })

  it.each(['kube-system', 'default', 'UPPER', 'a_b', '-a', 'a-', 'a'.repeat(64)])(
    'refuses %s as the namespace of the workload',
    (EXPRESSLANE_NAMESPACE) => {
      expect(refusal({ EXPRESSLANE_NAMESPACE })).toMatchObject({ code: 'config_invalid' })
    },
  )

  it.each(['127.0.0.1', '127.1.2.3', 'localhost', '::1'])('needs no token for %s', (HOST) => {
    expect(readConfig({ HOST }).host).toBe(HOST)
  })

  it.each(['0.0.0.0', '::', '192.0.2.7', 'labs.example.org', '127.evil.example', '1270.0.0.1'])(
    'refuses to open %s to other machines without a token of one’s own',
    (HOST) => {
      const { code, remedy, remedyCommand } = refusal({ HOST })
      expect(code).toBe('config_invalid')
      expect(remedy).toContain('EXPRESSLANE_TOKEN')
      expect(remedyCommand).toContain(`HOST=${HOST}`)
      expect(readConfig({ HOST, EXPRESSLANE_TOKEN: 'a-token-of-my-own' }).host).toBe(HOST)
    },
  )

  it.each([
    [{ PORT: '70707' }, 'PORT'],
    [{ PORT: 'http' }, 'PORT'],
    [{ PORT: '-1' }, 'PORT'],
    [{ HOST: 'a b' }, 'HOST'],
    [{ LOG_LEVEL: 'loud' }, 'LOG_LEVEL'],
    [{ EXPRESSLANE_ORIGINS: 'labs.example.org' }, 'EXPRESSLANE_ORIGINS'],
    [{ EXPRESSLANE_ORIGINS: 'https://labs.example.org/path' }, 'EXPRESSLANE_ORIGINS'],
    [{ EXPRESSLANE_ORIGINS: 'https://a.example, javascript:0' }, 'EXPRESSLANE_ORIGINS'],
  ])('refuses %j by name', (env, name) => {
    const { code, message, remedy } = refusal(env)
    expect(code).toBe('config_invalid')
    expect(message).toContain(name)
    expect(remedy).toContain(name)
  })

  it.each(['short', 'with space in it', 'ends in a line\n'])('refuses the token %j and does not repeat it', (token) => {
    const { message, remedy, detail } = refusal({ EXPRESSLANE_TOKEN: token })
    expect(message).toContain('EXPRESSLANE_TOKEN')
    expect([message, remedy, detail].join(' ')).not.toContain(token)
  })
})

describe('the address that is printed', () => {
  it.each([
    ['127.0.0.1', '127.0.0.1'],
    ['localhost', '127.0.0.1'],
    ['0.0.0.0', '127.0.0.1'],
    ['::', '127.0.0.1'],
    ['::1', '[::1]'],
    ['192.0.2.7', '192.0.2.7'],
    ['2001:db8::7', '[2001:db8::7]'],
    ['labs.example.org', 'labs.example.org'],
  ])('for %s is one that can be typed: %s', (host, typed) => {
    expect(typedHost(host)).toBe(typed)
  })
})

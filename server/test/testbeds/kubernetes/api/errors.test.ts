/** The errors for an API server's refusals, and for failures on the way to it. */
import { readFileSync } from 'node:fs'
import { once } from 'node:events'
import { createServer as createHttp } from 'node:http'
import { createServer as createHttps } from 'node:https'
import { LabError } from '@expresslane/shared/base/errors'
import { describe, expect, it } from 'vitest'
import { requireAccess } from '../../../../src/testbeds/kubernetes/api/access.ts'
import type { Cluster } from '../../../../src/testbeds/kubernetes/api/cluster.ts'
import { hasStatus, seenFromContainer } from '../../../../src/testbeds/kubernetes/api/errors.ts'
import { listOurs } from '../../../../src/testbeds/kubernetes/workload/pod-ops.ts'
import { answering, clusterAt, listen, status } from '../fake-api.ts'

const signal = new AbortController().signal

function fixture(name: string): string {
  return readFileSync(new URL(`../../../fixtures/tls/${name}`, import.meta.url), 'utf8')
}

async function errorOf(cluster: Cluster): Promise<LabError> {
  const permission = { verb: 'get', resource: 'configmaps', namespace: 'kube-system', name: 'cilium-config' }
  try {
    await cluster.request(permission, signal, (options) =>
      cluster.core.readNamespacedConfigMap({ name: 'cilium-config', namespace: 'kube-system' }, options),
    )
  } catch (error) {
    if (error instanceof LabError) return error
    throw error
  }
  throw new Error('it did not fail')
}

describe('a request', () => {
  it('names verb and resource if it is forbidden, and the command to check it', async () => {
    const error = await errorOf(await answering(status(403, 'configmaps "cilium-config" is forbidden')))
    expect(error).toMatchObject({
      code: 'cluster_forbidden',
      message:
        'The credentials of context test are not allowed to get configmaps "cilium-config" in namespace kube-system.',
      remedyCommand: 'kubectl auth can-i get configmaps/cilium-config -n kube-system',
      detail: 'configmaps "cilium-config" is forbidden',
    })
  })

  it('names the refused verb if it is forbidden: an apply to a missing object is a create', async () => {
    const words =
      'configmaps "cilium-config" is forbidden: User "one" cannot create resource "configmaps" in API group ""'
    const error = await errorOf(await answering(status(403, words)))
    expect(error.message).toContain('not allowed to create configmaps')
    expect(error.remedyCommand).toBe('kubectl auth can-i create configmaps/cilium-config -n kube-system')
  })

  it.each([
    [401, 'cluster_unauthorized'],
    [404, 'not_found'],
    [409, 'tool_failed'],
    [429, 'cluster_unreachable'],
    [500, 'cluster_unreachable'],
    [503, 'cluster_unreachable'],
  ] as const)('that is answered with %i is %s, in the API server’s own words', async (code, expected) => {
    const error = await errorOf(await answering(status(code, 'its own words')))
    expect(error.code).toBe(expected)
    // The client reads no body of a 401.
    expect(error.detail).toContain(code === 401 ? 'Unauthorized' : 'its own words')
    expect(error.remedy).not.toBe('')
    expect(JSON.stringify(error.toProblem())).not.toContain('secret')
    if (code === 404) expect(hasStatus(error, 404)).toBe(true)
  })

  it('without a listening server is reported as unreachable', async () => {
    const server = createHttp()
    const port = await listen(server)
    server.close()
    await once(server, 'close')
    const error = await errorOf(clusterAt(`http://127.0.0.1:${port}`))
    expect(error).toMatchObject({
      code: 'cluster_unreachable',
      detail: expect.stringContaining('ECONNREFUSED') as string,
    })
  })

  it('to the host’s loopback is explained for a container, and to no other address', async () => {
    const server = createHttp()
    const port = await listen(server)
    server.close()
    await once(server, 'close')
    const address = `http://127.0.0.1:${port}`
    const error = await errorOf(clusterAt(address))
    const inside = seenFromContainer(error, address)
    expect(inside).toMatchObject({ code: 'cluster_unreachable', detail: error.detail })
    expect(inside.message).toContain('in this container it is the container itself')
    expect(inside.remedy).toContain('kind get kubeconfig --internal')
    expect(seenFromContainer(error, 'https://kind-control-plane:6443')).toBe(error)
  })

  it('to an API server with an expired certificate is reported', async () => {
    const cert = fixture('expired-cert.pem')
    const port = await listen(createHttps({ cert, key: fixture('expired-key.pem') }))
    const error = await errorOf(clusterAt(`https://127.0.0.1:${port}`, cert))
    expect(error).toMatchObject({
      code: 'cluster_unauthorized',
      message: expect.stringContaining('has expired') as string,
    })
  })

  it('to an API server with an unknown certificate is reported', async () => {
    const port = await listen(createHttps({ cert: fixture('expired-cert.pem'), key: fixture('expired-key.pem') }))
    expect((await errorOf(clusterAt(`https://127.0.0.1:${port}`))).code).toBe('cluster_unauthorized')
  })

  it('ends with the reason of the abort', async () => {
    const cluster = await answering(() => {})
    const abort = new AbortController()
    const asked = cluster.request({ verb: 'list', resource: 'nodes' }, abort.signal, (options) =>
      cluster.core.listNode({}, options),
    )
    abort.abort(new Error('never mind'))
    await expect(asked).rejects.toThrow('never mind')
  })
})

describe('the review of permissions', () => {
  it('names all missing permissions at once, before any change', async () => {
    const paths: string[] = []
    const cluster = await answering((request, response) => {
      paths.push(`${request.method} ${request.url}`)
      const chunks: Buffer[] = []
      request.on('data', (chunk: Buffer) => chunks.push(chunk))
      request.on('end', () => {
        const asked = JSON.parse(Buffer.concat(chunks).toString()) as { spec: { resourceAttributes: { verb: string } } }
        response.writeHead(201, { 'content-type': 'application/json' })
        response.end(JSON.stringify({ ...asked, status: { allowed: asked.spec.resourceAttributes.verb === 'get' } }))
      })
    })
    const pods = { resource: 'pods', namespace: 'expresslane' }
    const asked = requireAccess(
      cluster,
      [
        { verb: 'get', ...pods },
        { verb: 'delete', ...pods },
        { verb: 'create', ...pods, subresource: 'exec' },
      ],
      signal,
    )
    await expect(asked).rejects.toMatchObject({
      code: 'cluster_forbidden',
      message:
        'The credentials of context test are not allowed to delete pods in namespace expresslane; create pods/exec in namespace expresslane.',
      remedyCommand: 'kubectl apply -f manifests/rbac.yaml',
    })
    expect(new Set(paths)).toEqual(new Set(['POST /apis/authorization.k8s.io/v1/selfsubjectaccessreviews']))
  })

  it('asks four at a time', async () => {
    let [open, most] = [0, 0]
    const cluster = await answering((_request, response) => {
      response.writeHead(201, { 'content-type': 'application/json' })
      response.end(JSON.stringify({ spec: {}, status: { allowed: true } }))
    })
    const counting: Cluster = {
      ...cluster,
      async request(...asked) {
        open += 1
        most = Math.max(most, open)
        return cluster.request(...asked).finally(() => {
          open -= 1
        })
      },
    }
    const permissions = Array.from({ length: 20 }, (_, index) => ({ verb: 'get', resource: `kind-${index}` }))
    await requireAccess(counting, permissions, signal)
    expect(most).toBe(4)
  })
})

describe('another server that answers for the API server', () => {
  const bodies = [
    ['text/html', '<title>Sign in</title>'],
    ['application/json', '{"kind":"NodeList","items":[{"meta'],
    ['application/json', '{}'],
    ['application/json', 'null'],
    ['application/json', '[1,2,3]'],
    ['application/json', '"items"'],
    ['application/json', '{"metadata":{},"items":"none","status":7}'],
    ['application/json', '{"metadata":null,"items":[null,1,{}],"status":{"allowed":"yes"}}'],
    ['application/json', '{"metadata":{"name":"another","uid":"one"},"items":[{"metadata":{"name":"one"}}]}'],
    ['application/json', ''],
  ] as const
  const name = 'cilium-config'
  const namespace = 'kube-system'
  const at = { name, namespace }

  it.each(bodies)('is not believed: %s %s', async (type, body) => {
    const cluster = await answering((_request, response) => {
      response.writeHead(200, { 'content-type': type })
      response.end(body)
    })
    const asked = [
      cluster.request({ verb: 'list', resource: 'nodes' }, signal, (options) => cluster.core.listNode({}, options)),
      cluster.request({ verb: 'get', resource: 'configmaps', ...at }, signal, (options) =>
        cluster.core.readNamespacedConfigMap(at, options),
      ),
      cluster.request({ verb: 'get', resource: '/version' }, signal, (options) => cluster.version.getCode(options)),
      requireAccess(cluster, [{ verb: 'get', resource: 'pods' }], signal),
      listOurs({ cluster, namespace }, signal),
    ]
    for (const one of await Promise.allSettled(asked)) {
      expect(one).toMatchObject({ status: 'rejected', reason: { code: 'cluster_unreachable' } })
    }
  })

  it('is not believed about pods that are no pods', async () => {
    const pods = '{"kind":"PodList","items":[{"metadata":{"name":"one","uid":"two"}}]}'
    const cluster = await answering((_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end(pods)
    })
    await expect(listOurs({ cluster, namespace }, signal)).rejects.toMatchObject({ code: 'cluster_unreachable' })
  })
})

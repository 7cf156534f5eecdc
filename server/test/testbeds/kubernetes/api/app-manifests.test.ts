/** manifests/app, as far as no cluster is needed to see it; a test on a cluster applies it. */
import { readdirSync, readFileSync } from 'node:fs'
import { loadAllYaml } from '@kubernetes/client-node'
import { expect, it } from 'vitest'
import { z } from 'zod'

const manifests = new URL('../../../../../manifests/', import.meta.url)
const read = (name: string): string => readFileSync(new URL(name, manifests), 'utf8')

it('has the same rights as manifests/rbac.yaml: kustomize takes no file from beside its folder', () => {
  expect(read('app/rbac.yaml')).toBe(read('rbac.yaml'))
})

it('applies each of its files', () => {
  const { resources } = z
    .object({ resources: z.array(z.string()) })
    .parse(loadAllYaml(read('app/kustomization.yaml'))[0])
  const files = readdirSync(new URL('app', manifests)).filter((file) => file !== 'kustomization.yaml')
  expect(resources.toSorted()).toEqual(files.toSorted())
})

it('asks for no more than Pod Security’s restricted allows, and writes only to its volumes', () => {
  const pod = z.object({
    securityContext: z.unknown(),
    containers: z.array(z.object({ securityContext: z.unknown() })),
  })
  const deployment = z.object({ spec: z.object({ template: z.object({ spec: pod }) }) })
  const { spec } = deployment.parse(loadAllYaml(read('app/deployment.yaml'))[0]).spec.template
  expect(spec.securityContext).toMatchObject({ runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } })
  for (const { securityContext } of spec.containers) {
    expect(securityContext).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    })
  }
})

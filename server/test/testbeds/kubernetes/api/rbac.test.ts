import { readFileSync } from 'node:fs'
import { loadAllYaml } from '@kubernetes/client-node'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { describePermission, type Permission } from '../../../../src/testbeds/kubernetes/api/permission.ts'
import { allPermissions, readOnlyPermissions } from '../../../../src/testbeds/kubernetes/api/permissions.ts'

const name = 'expresslane'

const named = z.looseObject({
  kind: z.string(),
  metadata: z.object({ name: z.string(), namespace: z.string().optional() }),
})
/** Strict: a `nonResourceURLs`, or whatever else would grant something, is no rule of this file. */
const rule = z.strictObject({
  apiGroups: z.array(z.string()),
  resources: z.array(z.string()),
  resourceNames: z.array(z.string()).optional(),
  verbs: z.array(z.string()),
})
const role = named.extend({ rules: z.array(rule) })
const binding = named.extend({
  roleRef: z.object({ apiGroup: z.literal('rbac.authorization.k8s.io'), kind: z.string(), name: z.string() }),
  subjects: z.array(z.object({ kind: z.string(), name: z.string(), namespace: z.string() })),
})

function objectsOf(file: string): z.infer<typeof named>[] {
  const manifest = readFileSync(new URL(`../../../../../manifests/${file}`, import.meta.url), 'utf8')
  return z.array(named).parse(loadAllYaml(manifest))
}

function granted({ metadata: { namespace }, rules }: z.infer<typeof role>): Permission[] {
  return rules.flatMap(({ apiGroups, resources, resourceNames, verbs }) =>
    apiGroups.flatMap((group) =>
      resources.flatMap((full) => {
        const [resource = '', subresource] = full.split('/')
        return (resourceNames ?? [undefined]).flatMap((object) =>
          verbs.map((verb) => ({
            verb,
            resource,
            ...(subresource === undefined ? {} : { subresource }),
            ...(group === '' ? {} : { group }),
            ...(namespace === undefined ? {} : { namespace }),
            ...(object === undefined ? {} : { name: object }),
          })),
        )
      }),
    ),
  )
}

describe.each([
  ['rbac.yaml', allPermissions],
  ['rbac-read-only.yaml', readOnlyPermissions],
])('%s', (file, permissions) => {
  const objects = objectsOf(file)

  it('grants exactly what the testbed needs: no verb less, none more, none twice', () => {
    const roles = z
      .array(role)
      .parse(objects.filter(({ kind }) => kind === 'ClusterRole' || kind === 'Role'))
      .flatMap(granted)
    expect(roles.map(describePermission).toSorted()).toEqual(permissions(name).map(describePermission).toSorted())
  })

  it('binds each role in its namespace, to the only service account', () => {
    const account = { kind: 'ServiceAccount', name, namespace: name }
    expect(objects).toContainEqual(
      expect.objectContaining({ kind: 'ServiceAccount', metadata: { name, namespace: name } }),
    )
    const bindings = z.array(binding).parse(objects.filter(({ kind }) => kind.endsWith('Binding')))
    const bound = bindings.map(({ kind, metadata, roleRef, subjects }) => {
      expect(subjects).toEqual([account])
      expect(kind).toBe(`${roleRef.kind}Binding`)
      return `${roleRef.kind} ${metadata.namespace ?? ''} ${roleRef.name}`
    })
    const roles = objects.filter(({ kind }) => kind === 'ClusterRole' || kind === 'Role')
    expect(bound).toEqual(roles.map(({ kind, metadata }) => `${kind} ${metadata.namespace ?? ''} ${metadata.name}`))
  })
})

/** The roles of manifests/ under another name, whole or with one verb less, and a kubeconfig of their service account. */
import { readFileSync } from 'node:fs'
import { loadAllYaml } from '@kubernetes/client-node'
import { expect } from 'vitest'
import { z } from 'zod'
import { canICommand, type Permission } from '../../../src/testbeds/kubernetes/api/permission.ts'
import { apply, kubectl } from './kubectl.ts'

/** In place of `expresslane`: what somebody installed on this cluster is left alone. */
export const NAME = 'expresslane-rights'
const INSTALLED = 'expresslane'
const manifests = new URL('../../../../manifests/', import.meta.url)

const rule = z.object({
  apiGroups: z.array(z.string()),
  resources: z.array(z.string()),
  resourceNames: z.array(z.string()).optional(),
  verbs: z.array(z.string()),
})
const named = z.looseObject({ name: z.string(), namespace: z.string().optional() })
const granted = z.looseObject({
  kind: z.string(),
  metadata: named,
  rules: z.array(rule).optional(),
  roleRef: named.optional(),
  subjects: z.array(named).optional(),
})
type Granted = z.infer<typeof granted>

function rename<T extends z.infer<typeof named>>(one: T): T {
  const other = (name: string): string => (name === INSTALLED ? NAME : name)
  return {
    ...one,
    name: other(one.name),
    ...(one.namespace === undefined ? {} : { namespace: other(one.namespace) }),
  }
}

function renamed({ metadata, rules, roleRef, subjects, ...rest }: Granted): Granted {
  return {
    ...rest,
    metadata: rename(metadata),
    ...(roleRef === undefined ? {} : { roleRef: rename(roleRef) }),
    ...(subjects === undefined ? {} : { subjects: subjects.map(rename) }),
    ...(rules === undefined
      ? {}
      : {
          // Only a namespace is called otherwise; a lease keeps its name.
          rules: rules.map((one) =>
            one.resources.includes('namespaces') && one.resourceNames?.includes(INSTALLED) === true
              ? { ...one, resourceNames: [NAME] }
              : one,
          ),
        }),
  }
}

/** Whether a rule is about the objects that a permission names. */
function isAbout(one: z.infer<typeof rule>, { resource, subresource, group = '', name }: Permission): boolean {
  const full = subresource === undefined ? resource : `${resource}/${subresource}`
  const isNamed = name === undefined ? one.resourceNames === undefined : one.resourceNames?.includes(name) === true
  return isNamed && one.apiGroups.includes(group) && one.resources.includes(full)
}

function less({ rules, ...one }: Granted, without: Permission): Granted {
  if (rules === undefined || one.metadata.namespace !== without.namespace) return { ...one, ...(rules && { rules }) }
  const kept = rules.map((each) =>
    isAbout(each, without) ? { ...each, verbs: each.verbs.filter((verb) => verb !== without.verb) } : each,
  )
  return { ...one, rules: kept.filter(({ verbs }) => verbs.length > 0) }
}

function roles(file: string): Granted[] {
  const text = readFileSync(new URL(file, manifests), 'utf8')
  return z.array(granted).parse(loadAllYaml(text)).map(renamed)
}

/** The roles that were applied last, as text: they need not be applied again. */
let applied: ReadonlySet<string> = new Set()

/** Grants manifests/rbac-read-only.yaml, and takes back what it does not grant. */
export async function grantReadOnly(): Promise<void> {
  await grant()
  applied = new Set()
  await apply(...roles('rbac-read-only.yaml'))
  const exec = ['auth', 'can-i', 'create', 'pods/exec', '-n', 'kube-system', `--as=${user}`]
  await expect.poll(() => kubectl(...exec).catch(({ stdout }: { stdout: string }) => stdout)).toBe('no\n')
}

/** Resolves when the cluster has taken it. @throws where `without` names what was never granted */
export async function grant(without: Permission | null = null): Promise<void> {
  const whole = roles('rbac.yaml')
  const given = without === null ? whole : whole.map((one) => less(one, without))
  const changed = given.filter((one) => !applied.has(JSON.stringify(one)))
  applied = new Set()
  if (changed.length > 0) await apply(...changed)
  applied = new Set(given.map((one) => JSON.stringify(one)))
  if (without === null) return
  expect(given, 'the manifest grants this').not.toEqual(whole)
  const [, ...ask] = [...canICommand(without).split(' '), `--as=${user}`]
  await expect.poll(() => kubectl(...ask).catch(({ stdout }: { stdout: string }) => stdout)).toBe('no\n')
}

const user = `system:serviceaccount:${NAME}:${NAME}`
const shown = z.object({ clusters: z.array(z.looseObject({ name: z.string() })) })

/** A kubeconfig whose one user is the service account, by a token of the hour. */
export async function account(): Promise<object> {
  const token = (await kubectl('-n', NAME, 'create', 'token', NAME, '--duration=1h')).trim()
  const { clusters } = shown.parse(JSON.parse(await kubectl('config', 'view', '--raw', '--minify', '-o', 'json')))
  return {
    apiVersion: 'v1',
    kind: 'Config',
    clusters,
    users: [{ name: NAME, user: { token } }],
    contexts: [{ name: NAME, context: { cluster: clusters[0]?.name, user: NAME } }],
    'current-context': NAME,
  }
}

export async function removeGrants(): Promise<void> {
  applied = new Set()
  await kubectl('delete', 'clusterrolebinding,clusterrole', NAME, '--ignore-not-found')
  await kubectl('-n', 'kube-system', 'delete', 'rolebinding,role', NAME, '--ignore-not-found')
  // Waits: another file's tests use the same name.
  await kubectl('delete', 'namespace', NAME, '--ignore-not-found')
}

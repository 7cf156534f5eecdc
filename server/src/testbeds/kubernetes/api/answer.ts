/**
 * The shape that every answer of an API server has. Something else can be at its address: a proxy, a page to sign in, or
 * an API server that breaks off.
 */
import type { Permission } from './permission.ts'

type Fields = Readonly<Record<string, unknown>>

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** @param name of the object that was asked for; absent for a new object */
function isStored(value: unknown, name?: string): boolean {
  if (!isObject(value) || !isObject(value['metadata'])) return false
  const { name: own, uid } = value['metadata']
  return typeof own === 'string' && typeof uid === 'string' && (name === undefined || own === name)
}

/** Whether `value` can be the answer to a request that needed this permission. */
export function isAnswer({ verb, resource, subresource, name }: Permission, value: unknown): boolean {
  if (subresource === 'log') return typeof value === 'string'
  if (!isObject(value)) return false
  if (resource === '/version') return typeof value['gitVersion'] === 'string'
  if (resource === 'selfsubjectaccessreviews')
    return isObject(value['status']) && typeof value['status']['allowed'] === 'boolean'
  if (verb === 'list') return Array.isArray(value['items']) && value['items'].every((item) => isStored(item))
  // The object as it was, or a Status.
  if (verb === 'delete') return true
  return isStored(value, name)
}

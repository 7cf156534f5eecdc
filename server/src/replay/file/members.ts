/** The members of an object whose one long list is read item by item. */
import { isArrayAt, membersOf, parseValue, type Extent, type Member } from './extents.ts'
import type { Faults } from './faults.ts'
import type { Path } from './locate.ts'

const MOST_FIELDS = 50
/** A field beside the list: the facts of a cluster of a thousand nodes have room. */
export const FIELD_BYTES = 256 * 1024

export type Members = ReadonlyMap<string, Member>

/** The members of an object, by name. */
export function readMembers(bytes: Uint8Array, object: Extent, path: Path, faults: Faults): Members {
  const members = new Map<string, Member>()
  for (const member of membersOf(bytes, object.start)) {
    if (members.has(member.key)) faults.add(member, [...path, member.key], 'this field is there twice')
    members.set(member.key, member)
    if (members.size <= MOST_FIELDS) continue
    faults.add(object, path, `more than ${MOST_FIELDS} fields`)
    faults.end()
  }
  return members
}

/** The values of an object's members; the long list, which is read item by item, is empty here. */
export function parseMembers(
  bytes: Uint8Array,
  members: Members,
  list: string,
  path: Path,
  faults: Faults,
): Record<string, unknown> {
  const values = [...members.values()].map((member): [string, unknown] => {
    if (member.key === list && isArrayAt(bytes, member.start)) return [list, []]
    if (member.end - member.start > FIELD_BYTES) {
      faults.add(member, [...path, member.key], `larger than ${FIELD_BYTES / 1024} kB`)
      faults.end()
    }
    return [member.key, parseValue(bytes, member)]
  })
  return Object.fromEntries(values)
}

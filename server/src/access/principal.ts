/** Who sends a request: every request and every socket has a principal. */
import type { Role } from '@expresslane/shared/wire/room'

export interface Principal {
  /** The `owner` of sessions and of testbed ids. */
  readonly id: string
  readonly role: Role
  /** For display. */
  readonly name: string
}

/** A secret, and the principal that it identifies. */
export interface Key {
  readonly token: string
  readonly principal: Principal
}

/** The principal of the printed link, and of everything that runs without a browser. */
export const linkOwner: Principal = { id: 'owner', role: 'instructor', name: 'Instructor' }

/** Stands for every viewer: all of them read the same. */
export const anyViewer: Principal = { id: 'viewer', role: 'viewer', name: 'Viewer' }

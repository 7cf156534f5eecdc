/** Who asks: every request and every socket has a principal. */

/** `owner`: whoever has the printed link, and may do everything. `participant`: works in sessions of their own. */
export type PrincipalRole = 'owner' | 'participant'

export interface Principal {
  /** As it stands in a session's `owner` and in a testbed's id. */
  readonly id: string
  readonly role: PrincipalRole
  /** Shown to people. */
  readonly name: string
}

/** A secret, and whom it lets in. */
export interface Key {
  readonly token: string
  readonly principal: Principal
}

/** Whoever has the printed link; what runs without a browser runs as this one, too. */
export const linkOwner: Principal = { id: 'owner', role: 'owner', name: 'Owner' }

import type { GuestRole } from '@expresslane/shared/wire/room'

/** The people of a role, within a sentence. */
export const guestNames: Readonly<Record<GuestRole, string>> = { participant: 'participants', viewer: 'followers' }

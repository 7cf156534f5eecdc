/** A participant's way to another device. */
import { newInvitation, type NewInvitation } from '@expresslane/shared/wire/room'
import { post } from './request.ts'

/** Makes a link that opens this participant's sessions in another browser. */
export function makeOwnLink(): Promise<NewInvitation> {
  return post(newInvitation, '/api/me/link')
}

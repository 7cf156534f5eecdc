/** The endpoints of a presentation. */
import { presentationResponse, type PresentBody, type PresentCommand } from '@expresslane/shared/wire/presentation'
import { post, request, send } from '../api/request.ts'

const path = '/api/presentation'

/**
 * @throws LabError with the server's code; NetworkFailure without a response
 */
export const presentationHttp = {
  current: () => request(presentationResponse, path),
  /** Begins a talk, or moves it to another session. */
  begin: (body: PresentBody) => send('PUT', presentationResponse, path, body),
  end: () => request(presentationResponse, path, { method: 'DELETE' }),
  lead: (command: PresentCommand) => post(presentationResponse, `${path}/commands`, command),
}

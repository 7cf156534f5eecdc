/** The endpoints of a presentation and its rehearsal. */
import { presentationResponse, type PresentBody, type PresentCommand } from '@expresslane/shared/wire/presentation'
import type { SessionId } from '@expresslane/shared/run/events'
import { rehearsalResponse } from '@expresslane/shared/wire/rehearsal'
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
  /** The latest rehearsal of the session's lab on its testbed. */
  rehearsal: (session: SessionId) => request(rehearsalResponse, `/api/sessions/${session}/rehearsal`),
  rehearse: (session: SessionId) => post(rehearsalResponse, `/api/sessions/${session}/rehearsal`),
  lead: (command: PresentCommand) => post(presentationResponse, `${path}/commands`, command),
}

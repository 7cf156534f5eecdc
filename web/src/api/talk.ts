/** The HTTP API of those who follow a talk, or join a room. */
import type { RunId, SessionId } from '@expresslane/shared/run/events'
import type { TestbedId } from '@expresslane/shared/testbed/id'
import { presentationResponse, type AnswerBody } from '@expresslane/shared/wire/presentation'
import { labsResponse, opinionResponse, runResponse, sessionView, testbedView } from '@expresslane/shared/wire/protocol'
import { me, type JoinBody } from '@expresslane/shared/wire/room'
import { post, request } from './request.ts'

/**
 * One function per endpoint.
 *
 * @throws LabError with the server's code; NetworkFailure without a response
 */
export const talk = {
  presentation: () => request(presentationResponse, '/api/presentation'),
  /** A viewer receives the lab that is presented and no other. */
  labs: () => request(labsResponse, '/api/labs'),
  session: (id: SessionId) => request(sessionView, `/api/sessions/${id}`),
  opinion: (run: RunId) => request(opinionResponse, `/api/runs/${run}/opinion`),
  run: (id: RunId) => request(runResponse, `/api/runs/${id}?events=false`),
  testbed: (id: TestbedId) => request(testbedView, `/api/testbeds/${id}`),
  answer: (body: AnswerBody) => post(presentationResponse, '/api/presentation/answers', body),
  me: () => request(me, '/api/me'),
  join: (body: JoinBody) => post(me, '/api/join', body),
}

import type { RunId } from '@expresslane/shared/run/events'
import { outputResponse } from '@expresslane/shared/wire/protocol'
import { request } from './request.ts'

/** The lines of a run's output before an event. @throws LabError; NetworkFailure without a response */
export const readOutput = (run: RunId, before: number) =>
  request(outputResponse, `/api/runs/${run}/output?before=${before}`)

import { LabError } from '@expresslane/shared/errors'
import type { Act } from '../performance.ts'

/** Looks at the packets of one request. */
export const capture: Act<'capture'> = () =>
  Promise.reject(new LabError('tool_missing', 'Capturing is not there yet.', 'Choose another lab.'))

/** The measurements of all open files, to choose the sides of a comparison from. */
import { i18n } from '@expresslane/shared/base/language'
import type { RunId } from '@expresslane/shared/labs/lab'
import { useLabs } from '../api/queries.ts'
import { formatTime } from '../words/format.ts'
import { useSources } from './use-tab.ts'

/** In the order of the files, each named by its file, step and time. */
export function useMeasured(): { readonly id: RunId; readonly label: string }[] {
  const labs = useLabs().data?.labs ?? []
  return useSources().flatMap(({ title, lab, measured }) => {
    const steps = labs.find(({ id }) => id === lab)?.steps ?? []
    return measured.map(({ id, stepId, startedAt }) => ({
      id,
      label: i18n.t('{recording} – {step}, {time}', {
        recording: title,
        step: steps.find((step) => step.id === stepId)?.title ?? stepId,
        time: formatTime(startedAt),
      }),
    }))
  })
}

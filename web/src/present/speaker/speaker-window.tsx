import type { Lab } from '@expresslane/shared/labs/lab'
import type { Session } from '@expresslane/shared/wire/protocol'
export function SpeakerWindow({ lab }: { lab: Lab; session: Session; stepId: string | null }) {
  return <p>{lab.title}</p>
}

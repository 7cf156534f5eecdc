import { i18n } from '@expresslane/shared/base/language'
import type { LeftOutArm } from '@expresslane/shared/measure/experiment'
import { Notice } from '../components/notice.tsx'
import { listed } from '../words/format.ts'

/** The arms that an experiment does without on this testbed, with the reasons; nothing if it has all. */
export function LeftOut({ arms }: { arms: readonly LeftOutArm[] }) {
  if (arms.length === 0) return null
  const reasons = [...new Set(arms.map(({ reason }) => reason))]
  return (
    <Notice tone="info" title={i18n.t('Left out here: {arms}', { arms: listed(arms.map(({ label }) => label)) })}>
      {reasons.map((reason) => (
        <p key={reason}>{reason}</p>
      ))}
    </Notice>
  )
}

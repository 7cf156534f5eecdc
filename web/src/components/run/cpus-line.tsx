import { i18n } from '@expresslane/shared/base/language'
import { cpuWords } from '@expresslane/shared/features/cpu-placement'
import { takenIn, type RunState } from '@expresslane/shared/run/run-state'

/** The CPUs of the measured pods: in a sentence, or in a sentence for each arm if they differ. */
export function CpusLine({ run }: { run: RunState }) {
  const known = takenIn(run).flatMap(({ arm, fingerprint }) =>
    fingerprint === null ? [] : [{ arm, words: cpuWords(fingerprint.cpus) }],
  )
  const all = [...new Set(known.map(({ words }) => words))]
  const nameOf = (arm: string): string => run.plan?.arms.find(({ id }) => id === arm)?.label ?? arm
  if (all.length === 0) return null
  if (all.length === 1) return <p>{i18n.t('CPU placement: {words}.', { words: all[0] })}</p>
  const arms = [...new Map(known.map(({ arm, words }) => [arm, words]))]
  return (
    <p>
      {i18n.t('CPU placement: {words}.', { words: arms.map(([arm, words]) => `${nameOf(arm)}: ${words}`).join('; ') })}
    </p>
  )
}

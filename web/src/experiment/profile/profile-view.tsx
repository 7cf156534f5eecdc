import { i18n } from '@expresslane/shared/base/language'
import {
  differs,
  noiseOf,
  profileDifference,
  profilePairs,
  type ProfilePair,
} from '@expresslane/shared/profile/difference'
import type { ArmProfile } from '@expresslane/shared/profile/made'
import {
  branchInWords,
  differenceInWords,
  lossesInWords,
  quantityOf,
  reasonInWords,
} from '@expresslane/shared/profile/words'
import type { ExperimentPlan } from '@expresslane/shared/measure/experiment'
import { useMemo, useState } from 'react'
import { SelectField } from '../../components/select-field.tsx'
import { labelIn, nameOfOpinion, unbroken } from '../opinion/names.ts'
import { FlameGraph } from './flame-graph.tsx'
import { FunctionTable, GroupTable } from './profile-tables.tsx'
import classes from './profile.module.css'

interface ProfileViewProps {
  plan: ExperimentPlan
  profiles: readonly ArmProfile[]
}

/** Why the arms differ: the first arm's profile beside each other arm's. */
export function ProfileView({ plan, profiles }: ProfileViewProps) {
  const pairs = useMemo(() => profilePairs(profiles, plan.arms[0]?.id ?? ''), [profiles, plan])
  const [asked, setChosen] = useState<number | null>(null)
  const chosen = useMemo(() => asked ?? pairs.findIndex(differs), [asked, pairs])
  const pair = pairs[chosen] ?? pairs[0]
  if (pair === undefined) return null
  return (
    <section aria-labelledby="why" className={`${classes.why} stack wide ruled container`}>
      <h3 id="why">{i18n.t('Why?')}</h3>
      {pairs.length > 1 && (
        <SelectField
          label={i18n.t('Compared with {baseline}', { baseline: plan.arms[0]?.label ?? i18n.t('the first arm') })}
          value={String(pairs.indexOf(pair))}
          options={pairs.map((one, index) => [String(index), nameOfOpinion(plan, one)])}
          onChange={(value) => setChosen(Number(value))}
        />
      )}
      {pair.reasons.map(({ arm, reason }) => (
        <p key={arm} className="readable">
          {reasonInWords(arm === null ? null : labelIn(plan.arms, arm), reason)}
        </p>
      ))}
      {pair.profiles !== null && (
        <Difference key={`${pair.caseId} ${pair.arm}`} of={pair.profiles} names={namesOf(plan, pair)} />
      )}
    </section>
  )
}

function namesOf({ arms }: ExperimentPlan, { arm }: ProfilePair): string {
  return `${arms[0]?.label ?? i18n.t('the first arm')} → ${labelIn(arms, arm)}`
}

interface DifferenceProps {
  of: NonNullable<ProfilePair['profiles']>
  /** `Without BIG TCP → With BIG TCP` */
  names: string
}

function Difference({ of: { before, after }, names }: DifferenceProps) {
  const difference = useMemo(() => profileDifference(before, after), [before, after])
  const [search, setSearch] = useState('')
  const { unit, root, groups, functions, branch, samples } = difference
  const quantity = quantityOf(difference)
  return (
    <>
      <div className="stack tight readable pretty">
        <p className="medium">{unbroken(differenceInWords(difference))}</p>
        {branch !== null && <p>{unbroken(branchInWords(branch, difference.unit))}</p>}
      </div>
      <p className="muted readable">
        {samples === null
          ? i18n.t(
              '{names}: {quantity} of the kernel and of the programs for {unit, select, transaction {a transaction} connection {a connection} packet {a packet} other {a megabyte}}, exactly counted.',
              { names, quantity, unit },
            )
          : i18n.t(
              '{names}: {quantity} of the kernel and of the programs for {unit, select, transaction {a transaction} connection {a connection} packet {a packet} other {a megabyte}}, sampled.',
              { names, quantity, unit },
            )}
      </p>
      <GroupTable groups={groups} quantity={quantity} />
      <FlameGraph
        root={root}
        quantity={quantity}
        noise={noiseOf(difference)}
        title={i18n.t('Contexts of {names}', { names })}
        search={search}
        onSearch={setSearch}
        functions={functions}
      />
      <FunctionTable functions={functions} search={search} quantity={quantity} hasCalls={samples === null} />
      <p className="muted readable">{lossesInWords(difference)}</p>
    </>
  )
}

/** The difference of the first pair in a sentence, and the branch that explains most: for a slide. */
export function ProfileLine({ plan, profiles }: ProfileViewProps) {
  const [pair] = profilePairs(profiles, plan.arms[0]?.id ?? '')
  if (pair === undefined || pair.profiles === null) return null
  const difference = profileDifference(pair.profiles.before, pair.profiles.after)
  const { branch } = difference
  return (
    <p className="pretty">
      {unbroken(i18n.t('Why? {difference}', { difference: differenceInWords(difference) }))}
      {branch !== null && ` ${unbroken(branchInWords(branch, difference.unit))}`}
    </p>
  )
}

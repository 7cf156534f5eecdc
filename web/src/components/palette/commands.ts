/** What the command palette can open or do on this page. */
import { i18n } from '@expresslane/shared/base/language'
import { chooseLanguage, languages, nameOf } from '#language'
import { RESET_STEP } from '@expresslane/shared/run/events'
import { useMatch, useNavigate } from 'react-router'
import { useIsInstructor, useLabs, useMe, useRuns, useSessions } from '../../api/queries.ts'
import { schemeWords, switchScheme } from '../frame/scheme-toggle.tsx'
import { formatDay } from '../../words/format.ts'

export interface Command {
  readonly id: string
  readonly name: string
  readonly kind: string
  readonly perform: () => void
}

/** The commands with all these words, in any order. */
export function matching(commands: readonly Command[], text: string): Command[] {
  const words = text.toLowerCase().split(/\s+/)
  return commands.filter(({ name, kind }) => words.every((word) => `${name} ${kind}`.toLowerCase().includes(word)))
}

const RECENT_RUNS = 8

/** The open lab first, then all labs, pages, actions and recent runs. */
export function useCommands(): Command[] {
  const navigate = useNavigate()
  const here = useMatch('/labs/:labId/sessions/:sessionId/:stepId?')
  const labs = useLabs().data?.labs ?? []
  const me = useMe().data
  const instructor = useIsInstructor()
  const sessions = useSessions().data?.sessions.filter(({ owner }) => owner === me?.id) ?? []
  const runs = useRuns({ recorded: 'false' }).data?.pages[0]?.runs.slice(0, RECENT_RUNS) ?? []
  const lab = labs.find(({ id }) => id === here?.params.labId)
  const to = (kind: string, name: string, address: string): Command => ({
    id: `${kind} ${address}`,
    name,
    kind,
    perform: () => void navigate(address),
  })
  const base = here === null ? '' : `/labs/${here.params.labId}/sessions/${here.params.sessionId}`
  return [
    ...(lab?.steps ?? []).map(({ id, title }) => to(i18n.t('Step'), title, `${base}/${id}`)),
    ...(lab === undefined ? [] : [to(i18n.t('Page'), i18n.t('Summary of this lab'), `${base}/summary`)]),
    ...(lab === undefined || !instructor
      ? []
      : [to(i18n.t('Action'), i18n.t('Present this lab'), `${base}/${here?.params.stepId ?? ''}?present`)]),
    ...labs.flatMap(({ id, title, listed }) => {
      const latest = sessions.find(({ labId }) => labId === id)
      const address = latest === undefined ? `/#lab-${id}` : `/labs/${id}/sessions/${latest.id}`
      return listed ? [to(i18n.t('Lab'), title, address)] : []
    }),
    to(i18n.t('Page'), i18n.t('All labs'), '/'),
    to(i18n.t('Page'), i18n.t('Bench'), '/bench'),
    to(i18n.t('Page'), i18n.t('History'), '/history'),
    to(i18n.t('Page'), i18n.t('What you found out on this machine'), '/found'),
    ...(instructor && me?.workshop === true ? [to(i18n.t('Page'), i18n.t('Room'), '/room')] : []),
    {
      id: 'scheme',
      name: schemeWords(),
      kind: i18n.t('Action'),
      perform: () => switchScheme(),
    },
    ...languages
      .filter((one) => one !== i18n.locale)
      .map((one) => ({
        id: `language ${one}`,
        name: nameOf(one),
        kind: i18n.t('Language'),
        perform: () => chooseLanguage(one),
      })),
    ...runs.map(({ id, labId, stepId, startedAt }) => {
      const of = labs.find((one) => one.id === labId)
      const step = stepId === RESET_STEP ? i18n.t('Reset') : of?.steps.find((one) => one.id === stepId)?.title
      return to(i18n.t('Past run'), `${step ?? stepId}, ${of?.title ?? labId}, ${formatDay(startedAt)}`, `/runs/${id}`)
    }),
  ]
}

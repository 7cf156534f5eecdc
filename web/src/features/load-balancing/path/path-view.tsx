/** Client, balancer and backends, and the balancer's table of buckets. */
import { i18n } from '@expresslane/shared/base/language'
import { backends, client, SERVICE, TABLE } from '@expresslane/shared/features/load-balancing/places'
import { BALANCER } from '@expresslane/shared/features/load-balancing/roles'
import { BALANCING, balancingIn, nameOf } from '@expresslane/shared/features/load-balancing/settings'
import type { DatapathState } from '@expresslane/shared/testbed/reading'
import type { PathViewProps } from '../../views.ts'
import { PlacedPath, WayStages, type WayView } from '../../way.tsx'
import { Tables } from './buckets.tsx'

/** `204 buckets`; the random balancer's table has each backend once. */
function shareWords(count: number): string {
  return i18n.t('{count, plural, one {# bucket} other {# buckets}}', { count })
}

/** The way as read from the kernel. */
export function wayOf({ hooks, carried }: DatapathState): WayView {
  const of = balancingIn(carried)
  const isKnown = carried[BALANCING] !== undefined
  const counts = hooks.find(({ hook }) => hook === TABLE)?.counts ?? {}
  const isTable = of.balancer !== 'random'
  const stages = [
    {
      id: 'choice',
      name: isKnown ? nameOf(of) : i18n.t('Unknown'),
      does: isTable
        ? i18n.t('the hash of client’s address and port points to a bucket')
        : i18n.t('a random backend for each new connection'),
      reached: isKnown ? true : null,
      handles: isKnown,
      found: null,
    },
  ]
  const shares = backends.map(({ name }) => {
    const count = counts[name] ?? 0
    const is = count === 0 ? i18n.t('not in the table') : isTable ? shareWords(count) : i18n.t('in the table')
    return { name, is, stages: [] }
  })
  const replies =
    of.replies === 'direct'
      ? i18n.t('Backends have the service’s address, too, and reply past the balancer.')
      : i18n.t('Replies come back through the balancer, which gives them the service’s address.')
  const remembered =
    of.by === 'nftables' ? [] : [i18n.t('The program remembers its connections: a new table is for new connections.')]
  return {
    places: [
      { name: client.name, is: i18n.t('calls {address}', { address: SERVICE }), address: client.address, stages: [] },
      { name: BALANCER, stages },
      ...shares,
    ],
    words: isKnown ? [replies, ...remembered] : [i18n.t('The balancer’s table could not be read.')],
  }
}

/** The balancing of the next pods, if it is not the present pods'. */
export function chosenWords({ settings, carried, placement }: DatapathState): string | null {
  const next = balancingIn(settings)
  const present = nameOf(balancingIn(placement === null ? {} : carried))
  if (present === nameOf(next)) return null
  return i18n.t('Chosen for the next pods: {choice}', { choice: nameOf(next) })
}

export function PathView({ path }: PathViewProps) {
  const datapath = path?.datapath ?? null
  if (datapath === null) return null
  const { balancer, ...of } = balancingIn(datapath.carried)
  return (
    <PlacedPath datapath={datapath} chosen={chosenWords(datapath)}>
      <WayStages way={wayOf(datapath)} handling={i18n.t('chooses')} end="backend" />
      {datapath.carried[BALANCING] !== undefined && balancer !== 'random' && <Tables balancer={balancer} {...of} />}
    </PlacedPath>
  )
}

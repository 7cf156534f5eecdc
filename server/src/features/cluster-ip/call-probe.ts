/** Follows one call: the address that the client called, and the address in its packets where they leave and where they arrive. */
import { SERVICE, serverLink } from '@expresslane/shared/features/cluster-ip/places'
import { translationIn } from '@expresslane/shared/features/cluster-ip/settings'
import { CLIENT, podOf, SERVER } from '@expresslane/shared/testbed/placement'
import type { RunProbe } from '../feature.ts'
import { addressesOf, callArgv, callAt } from './calls.ts'
import { readTranslators } from './reading.ts'

/** `the backend, 10.244.129.2: 6 packets`. */
function inWords({ service, backend }: ReturnType<typeof addressesOf>): string {
  const [is, address, count] =
    service > backend ? ['the service', SERVICE.ipv4, service] : ['the backend', serverLink.pod.ipv4, backend]
  return `${is}, ${address}: ${count} packets`
}

export const call: RunProbe = async ({ arm, pods, show, capture }) => {
  const by = translationIn(arm.settings)
  const watched = [CLIENT, SERVER].map((role) => podOf(pods.placement, role)?.name ?? role)
  const { frames } = await capture(watched.map(callAt), () => pods.run(CLIENT, callArgv(SERVICE.ipv4)))
  const [left, arrived] = frames.map((some) => addressesOf(some, 'ipv4'))
  if (left === undefined || arrived === undefined) return { sentence: 'Nothing was captured.', observations: [] }
  show({
    kind: 'table',
    title: `A call of ${SERVICE.ipv4}: the destination of its packets`,
    columns: ['Where', 'Destination'],
    rows: [
      ['leaving the client', inWords(left)],
      ['arriving at the backend', inWords(arrived)],
    ],
    more: 0,
  })
  const translated = (await readTranslators(pods, 'ipv4')).map((one) => one.translated).join(' and ')
  const isSocket = by === 'socket'
  return {
    sentence: isSocket
      ? `The packets leave the client with the backend’s address. The program at the socket has translated ${translated} connections since the pods were made.`
      : 'The packets leave the client with the service’s address, and arrive with the backend’s.',
    observations: [
      {
        label: 'packets that leave the client',
        expected: isSocket ? 'to the backend' : 'to the service',
        seen: inWords(left),
        ok: isSocket ? left.service === 0 && left.backend > 0 : left.backend === 0 && left.service > 0,
      },
      {
        label: 'packets that arrive at the backend',
        expected: 'to the backend',
        seen: inWords(arrived),
        ok: arrived.service === 0 && arrived.backend > 0,
      },
    ],
  }
}

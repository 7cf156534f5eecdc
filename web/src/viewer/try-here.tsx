import { i18n } from '@expresslane/shared/base/language'
import { formatFixed } from '@expresslane/shared/base/units'
import type { Lab } from '@expresslane/shared/labs/lab'
import { tabLabs } from '@expresslane/shared/wire/tab'
import { useMutation } from '@tanstack/react-query'
import { useNavigate } from 'react-router'
import { Card } from '../components/card.tsx'
import { Button } from '../components/controls.tsx'
import { ChangeProblem } from '../components/problem-notice.tsx'
import type { ShippedMachine } from './shipped.ts'
import { useComputer, useTab } from './use-tab.ts'

/** Starts the experiment in this tab. */
export function TryHere({ machine, labs }: { machine: ShippedMachine; labs: readonly Lab[] }) {
  const tab = useTab()
  const computer = useComputer()
  const navigate = useNavigate()
  const begin = useMutation({
    mutationFn: (lab: string) => tab.tryHere(lab),
    onSuccess: ({ id, labId }) => void navigate(`/labs/${labId}/sessions/${id}`),
  })
  const size = formatFixed(machine.bytes / 1e6, 0)
  return (
    <Card>
      <section aria-labelledby="try-here" className="stack">
        <h2 id="try-here" className="heading">
          {i18n.t('Try it here')}
        </h2>
        <p className="pretty">
          {i18n.t(
            'Run the experiment yourself, on an emulated computer in this tab: a small Linux with real network namespaces, real commands and real TCP. Its clock counts instructions, so every browser shows the same result. Compare its figures only with each other.',
          )}
        </p>
        <div className="row">
          {tabLabs.map((lab) => (
            <Button
              key={lab}
              variant={lab === tabLabs[0] ? 'filled' : 'default'}
              loading={begin.isPending && begin.variables === lab}
              disabled={begin.isPending}
              onClick={() => begin.mutate(lab)}
            >
              {labs.find(({ id }) => id === lab)?.title ?? lab}
            </Button>
          ))}
          {computer !== null && (
            <Button variant="subtle" onClick={() => tab.stopComputer()}>
              {i18n.t('Stop the computer')}
            </Button>
          )}
        </div>
        <ChangeProblem of={begin} />
        <p className="muted pretty">
          {i18n.t(
            '{size} MB to download, then it works offline; 400 MB of memory. Keep the tab in sight while it measures: browsers slow down hidden tabs, and phones take several times as long.',
            { size },
          )}
        </p>
      </section>
    </Card>
  )
}

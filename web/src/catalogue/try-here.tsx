import { i18n } from '@expresslane/shared/base/language'
import { readSite } from '@expresslane/shared/wire/site'
import { useQuery } from '@tanstack/react-query'
import { useIsInstructor } from '../api/queries.ts'
import { call } from '../api/request.ts'
import { Button } from '../components/controls.tsx'
import { CommandBlock } from '../components/prose/command-block.tsx'
import { IconArrowRight } from '../icons.tsx'
import classes from './start.module.css'

/** Leads to the experiment in a browser's tab, or says how to build it. */
export function TryHere() {
  const site = useQuery({ queryKey: ['site'], queryFn: () => call(readSite) })
  const computer = site.data?.computer ?? 'none'
  const builds = useIsInstructor()
  if (computer === 'none' || (computer === 'buildable' && !builds)) return null

  return (
    <section aria-labelledby="try-here" className={`${classes.next} ${classes.across} surface stack`}>
      <h2 id="try-here">{i18n.t('Try it here')}</h2>
      <p>
        {i18n.t(
          'No testbed can run a lab now. But the BIG TCP labs can run in this browser, on an emulated computer in a tab: a small Linux with real network namespaces, real commands and real TCP.',
        )}
      </p>
      {computer === 'built' ? (
        <div>
          <Button component="a" href="/site/" rightSection={<IconArrowRight size={20} aria-hidden />}>
            {i18n.t('Go to the emulated computer')}
          </Button>
        </div>
      ) : (
        <>
          <p className="muted">
            {i18n.t(
              'Build it once: this takes some minutes, and needs Debian and the right to make namespaces. You can also build it on another machine, and copy the folder “site” here.',
            )}
          </p>
          <CommandBlock text={'npm run site -- --machine\nnpm run site'} note={null} />
        </>
      )}
    </section>
  )
}

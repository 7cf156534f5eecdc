import { i18n } from '@expresslane/shared/base/language'
import { Skeleton } from '../controls.tsx'
import { Page } from '../card.tsx'

/** A placeholder while the code or data of a page loads. */
export function PageSkeleton() {
  return (
    <Page>
      <div role="status" className="hidden">
        {i18n.t('Loading')}
      </div>
      <div className="stack wide">
        <Skeleton height={34} width="min(320px, 80%)" />
        <Skeleton height={20} width="min(520px, 90%)" />
        <Skeleton height={240} />
      </div>
    </Page>
  )
}

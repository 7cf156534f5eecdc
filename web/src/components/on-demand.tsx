import { i18n } from '@expresslane/shared/base/language'
import { Component, Suspense, type ReactNode } from 'react'
import { Notice } from './notice.tsx'

interface OnDemandProps {
  /** While it loads. @defaultValue nothing */
  fallback?: ReactNode
  children: ReactNode
}

/** A part that loads when it is shown. If it can't, a notice stands in its place, and the rest of the page stays. */
export class OnDemand extends Component<OnDemandProps, { readonly failed: boolean }> {
  override readonly state = { failed: false }

  static getDerivedStateFromError(): { readonly failed: boolean } {
    return { failed: true }
  }

  override render(): ReactNode {
    const { fallback = null, children } = this.props
    if (!this.state.failed) return <Suspense fallback={fallback}>{children}</Suspense>
    return (
      <Notice tone="warn" title={i18n.t('This part of the page could not be loaded')} role="alert">
        <p>{i18n.t('Check the connection to the server, then reload the page.')}</p>
      </Notice>
    )
  }
}

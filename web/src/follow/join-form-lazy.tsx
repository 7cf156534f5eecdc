import { lazy } from 'react'
import type { JoinFormProps } from './join-form.tsx'
import { OnDemand } from '../components/on-demand.tsx'

const Form = lazy(async () => ({ default: (await import('./join-form.tsx')).JoinForm }))

/** Loaded on demand: who has a link or a QR code needs no form. */
export function JoinForm(props: JoinFormProps) {
  return (
    <OnDemand>
      <Form {...props} />
    </OnDemand>
  )
}

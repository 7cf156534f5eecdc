/** What makes the testbeds of one kind. */
import type { ClusterContext } from '@expresslane/shared/wire/protocol'
import type { Testbed } from './testbed.ts'

export interface TestbedFactory {
  /** The contexts to choose from, read each time; empty if there is no choice. @throws LabError `kubeconfig_invalid` */
  contexts(): readonly ClusterContext[]
  /** Whether a context is used only after somebody has chosen it. */
  readonly needsChoice: boolean
  /** The context given to this process; it overrides an earlier choice. */
  asked(): string | null
  /** @param context null where there are none, or none was chosen */
  make(context: string | null): Testbed | Promise<Testbed>
}

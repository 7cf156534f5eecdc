/** What makes the testbeds of one kind. */
import type { ClusterContext } from '@expresslane/shared/wire/protocol'
import type { Testbed } from './testbed.ts'

export interface TestbedFactory {
  /** Where it can be, read anew: empty where it can only be here. @throws LabError `kubeconfig_invalid` */
  contexts(): readonly ClusterContext[]
  /** A context is touched only once somebody has chosen it. */
  readonly needsChoice: boolean
  /** The context that this process was told to use; goes before what was chosen earlier. */
  asked(): string | null
  /** @param context null where there are none, or none was chosen */
  make(context: string | null): Testbed
}

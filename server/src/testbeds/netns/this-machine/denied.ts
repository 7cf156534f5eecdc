/** Why a machine refuses user namespaces, and the remedy. */
import type { Machine } from '../../machine/machine.ts'

interface Remedy {
  readonly remedy: string
  readonly remedyCommand: string | null
}

interface Cause extends Remedy {
  readonly path: string
  denies(value: string): boolean
}

/** The kernel's settings that can refuse them. */
const causes: readonly Cause[] = [
  {
    path: '/proc/sys/user/max_user_namespaces',
    denies: (value) => value === '0',
    remedy: 'user.max_user_namespaces is 0. Allow user namespaces.',
    remedyCommand: 'sudo sysctl -w user.max_user_namespaces=15000',
  },
  {
    path: '/proc/sys/user/max_net_namespaces',
    denies: (value) => Number(value) < 6,
    remedy: 'user.max_net_namespaces is below 6, but the path needs six. Allow more.',
    remedyCommand: 'sudo sysctl -w user.max_net_namespaces=1000',
  },
  {
    path: '/proc/sys/kernel/unprivileged_userns_clone',
    denies: (value) => value === '0',
    remedy: 'kernel.unprivileged_userns_clone is 0. Allow user namespaces for ordinary users.',
    remedyCommand: 'sudo sysctl -w kernel.unprivileged_userns_clone=1',
  },
  {
    path: '/proc/sys/kernel/apparmor_restrict_unprivileged_userns',
    denies: (value) => value === '1',
    remedy:
      'AppArmor restricts user namespaces (kernel.apparmor_restrict_unprivileged_userns is 1, as on Ubuntu 24.04). Lift the restriction until the next boot, or give this program a profile that permits `userns`.',
    remedyCommand: 'sudo sysctl -w kernel.apparmor_restrict_unprivileged_userns=0',
  },
]

/** The remedy for the setting that refuses; a general remedy if none of them does. */
export async function namespacesRemedy({ readText }: Pick<Machine, 'readText'>): Promise<Remedy> {
  for (const cause of causes) {
    const value = (await readText(cause.path))?.trim()
    if (value !== undefined && cause.denies(value)) return { remedy: cause.remedy, remedyCommand: cause.remedyCommand }
  }
  return {
    remedy:
      'In a container, start it with `--security-opt seccomp=manifests/seccomp.json --security-opt apparmor=unconfined --security-opt systempaths=unconfined`; otherwise, ask the administrator of this machine to allow user namespaces.',
    remedyCommand: null,
  }
}

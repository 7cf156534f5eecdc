/** Checks of Cilium: installed, healthy on every node that accepts the pods, and new enough. */
import type { V1DaemonSet } from '@kubernetes/client-node'
import type { Check } from '@expresslane/shared/testbed/testbed'
import { failed, passed, warning } from '../../check.ts'
import { typedLine } from '../../typed.ts'
import type { AgentView } from '../../cluster-view.ts'

export function ciliumCheck(daemonSet: V1DaemonSet | null, settings: boolean): Check {
  const id = 'cilium'
  const title = 'Cilium is installed'
  if (daemonSet !== null && settings) {
    const { desiredNumberScheduled = 0, numberReady = 0 } = daemonSet.status ?? {}
    return passed(
      id,
      title,
      `DaemonSet kube-system/cilium: ${numberReady} of ${desiredNumberScheduled} agents are ready.`,
    )
  }
  const lacks = [...(daemonSet === null ? ['DaemonSet cilium'] : []), ...(settings ? [] : ['ConfigMap cilium-config'])]
  const fix = {
    remedy:
      'The labs read and switch the datapath through Cilium. Use a cluster that runs Cilium, or install it there.',
    remedyCommand:
      'helm install cilium cilium --repo https://helm.cilium.io -n kube-system -f manifests/cilium-values.yaml',
  }
  return failed(id, title, `Namespace kube-system has no ${lacks.join(' and no ')}.`, fix, 'all')
}

/** @param agents of the nodes that accept the pods */
export function agentsCheck(agents: readonly AgentView[]): Check {
  const id = 'agents'
  const title = 'The Cilium agents are healthy'
  const ill = agents.flatMap((agent) => {
    const failure = agent.state === 'Failure' ? agent.troubles.join('; ') : null
    const why = agent.unreadable ?? failure ?? (agent.ready ? null : 'not Ready')
    return why === null ? [] : [{ ...agent, why }]
  })
  const troubled = agents.flatMap((agent) =>
    agent.troubles.length === 0 ? [] : [{ ...agent, why: agent.troubles.join('; ') }],
  )
  const all = ill.length > 0 ? ill : troubled
  if (all.length === 0) return passed(id, title, `${agents.map(({ node }) => node).join(', ')}: Ready and Ok.`)
  const pod = all.find((one) => one.pod !== null)?.pod ?? null
  const seen = all.map(({ node, why }) => `${node}: ${why}`).join('; ')
  const fix = {
    remedy: 'Every switch restarts the agents, so they must be healthy first. Check the status of the agent.',
    remedyCommand:
      pod === null
        ? 'kubectl -n kube-system get pods -l k8s-app=cilium -o wide'
        : typedLine([
            'kubectl',
            '-n',
            'kube-system',
            'exec',
            pod,
            '-c',
            'cilium-agent',
            '--',
            'cilium-dbg',
            'status',
            '--verbose',
          ]),
  }
  return ill.length > 0 ? failed(id, title, seen, fix, ['cilium-config']) : warning(id, title, seen, fix)
}

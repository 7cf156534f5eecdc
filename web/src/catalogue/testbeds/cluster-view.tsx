import type { ClusterFacts, ClusterNode } from '@expresslane/shared/testbed/testbed'
import { formatSize } from '@expresslane/shared/base/units'
import { CopyButton } from '../../components/prose/copy-button.tsx'
import classes from './cluster-view.module.css'
import { ciliumWords } from '../../words/environment.ts'
import { FactList } from '../../components/fact-list.tsx'
import { Table } from '../../components/table.tsx'

/** A table with more nodes is collapsed. */
const NODES_OPEN = 6

/** A cluster: versions, datapath configuration, nodes and images. */
export function ClusterView({ cluster }: { cluster: ClusterFacts }) {
  const ready = cluster.nodes.filter(({ schedulable }) => schedulable).length
  const [, cilium = 'unknown'] = /^Cilium (.*)$/.exec(ciliumWords(cluster)) ?? []
  const images = Object.entries(cluster.images)
  return (
    <>
      <FactList
        facts={[
          ['Kubernetes', cluster.kubernetes],
          ['Cilium', cilium],
          ['Datapath', cluster.datapathMode],
          ['Routing', cluster.routing],
          ['Host routing', cluster.hostRouting],
          ['Masquerading', cluster.masquerading],
          ['kube-proxy replacement', cluster.kubeProxyReplacement],
          ['Encryption', cluster.encryption],
          ['NAT46/64 gateway', cluster.nat46x64Gateway],
          ['Bandwidth Manager', cluster.bandwidthManager],
        ]}
      />
      <details open={cluster.nodes.length <= NODES_OPEN}>
        <summary>
          {cluster.nodes.length} nodes, {ready} schedulable
        </summary>
        <NodesTable nodes={cluster.nodes} />
      </details>
      {images.length > 0 && (
        <details>
          <summary>Image digests</summary>
          <dl className={classes.images}>
            {images.map(([name, digest]) => (
              <div key={name}>
                <dt>{name}</dt>
                <dd>
                  <code title={digest}>{shortDigest(digest)}</code>
                  <CopyButton text={digest} what={`the digest of ${name}`} />
                </dd>
              </div>
            ))}
          </dl>
        </details>
      )}
    </>
  )
}

/** `sha256:0123456789ab…`, with or without the name of the image in front. */
function shortDigest(digest: string): string {
  return digest.replace(/(sha256:[0-9a-f]{12})[0-9a-f]+/, '$1…')
}

function NodesTable({ nodes }: { nodes: readonly ClusterNode[] }) {
  return (
    <Table
      label="Nodes"
      className={classes.nodes}
      columns={[
        'Node',
        'Schedulable',
        { name: 'Kernel', look: classes.long },
        'Cilium',
        { name: 'Native devices', look: 'mono' },
        'tso_max_size',
        { name: 'CPUs', number: true },
        { name: 'System', look: classes.long },
        { name: 'Runtime', look: classes.long },
      ]}
      lines={nodes.map(({ name, schedulable, kernel, cilium, devices, cpus, os, runtime }) => {
        const sizes = devices.map(({ tsoMaxSize }) => (tsoMaxSize === null ? 'unknown' : formatSize(tsoMaxSize)))
        return {
          key: name,
          cells: [
            name,
            schedulable ? 'yes' : 'no',
            kernel,
            cilium ?? 'unknown',
            devices.map((one) => one.name).join(', ') || 'unknown',
            sizes.join(', ') || 'unknown',
            cpus,
            os,
            runtime.replace('://', ' '),
          ],
        }
      })}
    />
  )
}

import { i18n } from '@expresslane/shared/base/language'
import type { ClusterFacts, ClusterNode } from '@expresslane/shared/testbed/testbed'
import { formatSize } from '@expresslane/shared/base/units'
import { CopyButton } from '../../components/prose/copy-button.tsx'
import classes from './cluster-view.module.css'
import { ciliumVersion } from '../../words/environment.ts'
import { FactList } from '../../components/fact-list.tsx'
import { Table } from '../../components/table.tsx'

/** A table with more nodes is collapsed. */
const NODES_OPEN = 6

/** A cluster: versions, datapath configuration, nodes and images. */
export function ClusterView({ cluster }: { cluster: ClusterFacts }) {
  const ready = cluster.nodes.filter(({ schedulable }) => schedulable).length
  const images = Object.entries(cluster.images)
  return (
    <>
      <FactList
        facts={[
          ['Kubernetes', cluster.kubernetes],
          ['Cilium', ciliumVersion(cluster)],
          [i18n.t('Datapath'), cluster.datapathMode],
          [i18n.t('Routing'), cluster.routing],
          [i18n.t('Host routing'), cluster.hostRouting],
          [i18n.t('Masquerading'), cluster.masquerading],
          [i18n.t('kube-proxy replacement'), cluster.kubeProxyReplacement],
          [i18n.t('Encryption'), cluster.encryption],
          [i18n.t('NAT46/64 gateway'), cluster.nat46x64Gateway],
          [i18n.t('Bandwidth Manager'), cluster.bandwidthManager],
        ]}
      />
      <details open={cluster.nodes.length <= NODES_OPEN}>
        <summary>{i18n.t('{count} nodes, {ready} schedulable', { count: cluster.nodes.length, ready })}</summary>
        <NodesTable nodes={cluster.nodes} />
      </details>
      {images.length > 0 && (
        <details>
          <summary>{i18n.t('Image digests')}</summary>
          <dl className={classes.images}>
            {images.map(([name, digest]) => (
              <div key={name}>
                <dt>{name}</dt>
                <dd>
                  <code title={digest}>{shortDigest(digest)}</code>
                  <CopyButton text={digest} what={i18n.t('the digest of {name}', { name })} />
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
  const unknown = i18n.t('unknown')
  return (
    <Table
      label={i18n.t('Nodes')}
      className={classes.nodes}
      columns={[
        i18n.t('Node'),
        i18n.t('Schedulable'),
        { name: i18n.t('Kernel'), look: classes.long },
        'Cilium',
        { name: i18n.t('Native devices'), look: 'mono' },
        'tso_max_size',
        { name: i18n.t('CPUs'), number: true },
        { name: i18n.t('System'), look: classes.long },
        { name: i18n.t('Runtime'), look: classes.long },
      ]}
      lines={nodes.map(({ name, schedulable, kernel, cilium, devices, cpus, os, runtime }) => {
        const sizes = devices.map(({ tsoMaxSize }) => (tsoMaxSize === null ? unknown : formatSize(tsoMaxSize)))
        return {
          key: name,
          cells: [
            name,
            schedulable ? i18n.t('yes') : i18n.t('no'),
            kernel,
            cilium ?? unknown,
            devices.map((one) => one.name).join(', ') || unknown,
            sizes.join(', ') || unknown,
            cpus,
            os,
            runtime.replace('://', ' '),
          ],
        }
      })}
    />
  )
}

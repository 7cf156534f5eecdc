/** The views of all features, by feature id. A feature without an entry has the views that fit any feature. */
import { bigTcpLightViews, bigTcpViews } from './big-tcp/index.ts'
import { nat64LightViews } from './nat64/index.ts'
import { nodeportClusterLightViews } from './nodeport-cluster/index.ts'
import { nodeportLightViews, nodeportViews } from './nodeport/index.ts'
import { podDevicesLightViews, podDevicesViews } from './pod-devices/index.ts'
import type { FeatureViews, LightViews } from './views.ts'

export const featureViews: Readonly<Record<string, FeatureViews>> = {
  'big-tcp': bigTcpViews,
  nodeport: nodeportViews,
  'pod-devices': podDevicesViews,
}
export const lightViews: Readonly<Record<string, LightViews>> = {
  'big-tcp': bigTcpLightViews,
  nodeport: nodeportLightViews,
  'nodeport-cluster': nodeportClusterLightViews,
  'pod-devices': podDevicesLightViews,
  nat64: nat64LightViews,
}

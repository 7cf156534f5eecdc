import { describe, expect, it } from 'vitest'
import { clusterResources } from '../../../src/testbeds/kubernetes/facts/resources.ts'

const node = (bootID: string) => ({
  status: {
    nodeInfo: {
      bootID,
      architecture: '',
      containerRuntimeVersion: '',
      kernelVersion: '',
      kubeProxyVersion: '',
      kubeletVersion: '',
      machineID: '',
      operatingSystem: '',
      osImage: '',
      systemUUID: '',
    },
  },
})

describe('the resources that runs on a cluster need', () => {
  it('is the cluster', () => {
    expect(clusterResources('uid', [node('far'), node('away')], 'here')).toEqual({
      measuring: ['cluster:uid'],
      changing: ['cluster:uid'],
    })
  })

  it('are also this machine, if a node runs here', () => {
    expect(clusterResources('uid', [node('far'), node('here')], 'here')).toEqual({
      measuring: ['cluster:uid', 'host'],
      changing: ['cluster:uid'],
    })
  })
})

import { expect, test } from 'vitest'
import { hasImage } from '../../../../src/testbeds/kubernetes/workload/trial.ts'

/** Names as a kubelet reports them. */
const node = {
  status: {
    images: [
      { names: ['docker.io/library/busybox@sha256:ab', 'docker.io/library/busybox:1.37.0'] },
      { names: ['docker.io/expresslane/netperf:latest'] },
      { names: ['registry.example.org:5000/netperf:1', 'localhost/own:2'] },
    ],
  },
}

test.each([
  'busybox:1.37.0',
  'docker.io/library/busybox:1.37.0',
  'busybox:1.37.0@sha256:ab',
  'expresslane/netperf',
  'registry.example.org:5000/netperf:1',
  'localhost/own:2',
])('a node has %s', (image) => {
  expect(hasImage(node, image)).toBe(true)
})

test.each(['busybox', 'busybox:1.37.0@sha256:cd', 'expresslane/netperf:2', 'own:2'])('a node lacks %s', (image) => {
  expect(hasImage(node, image)).toBe(false)
  expect(hasImage({}, image)).toBe(false)
})

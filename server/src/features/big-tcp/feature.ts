import { compareLayers } from '@expresslane/shared/features/big-tcp/layers'
import type { ArmPlan } from '@expresslane/shared/measure/experiment'
import { isOn } from '@expresslane/shared/features/big-tcp/settings'
import { sizeFor } from '@expresslane/shared/features/big-tcp/proof'
import { familyName, formatCount, type Family } from '@expresslane/shared/base/units'
import type { ServerFeature } from '../feature.ts'
import { observeCapture } from './captures.ts'
import { observe } from './expectations.ts'
import { hint } from './hint.ts'
import { pair } from './topology.ts'
import { ciliumKeys } from './cilium-keys.ts'
import { clusterChecks } from './cluster/checks.ts'
import { probes } from './cluster/prerequisites.ts'

function names(families: readonly Family[]): string {
  return families.map((family) => familyName[family]).join(' and ')
}

function side({ settings }: ArmPlan, families: readonly Family[]): 'on' | 'off' {
  return families.some((family) => isOn(settings, family)) ? 'on' : 'off'
}

export const bigTcp = {
  id: 'big-tcp',
  observe,
  hint,
  observeCapture,
  topology: pair,
  ciliumKeys,
  clusterChecks,
  podSettings: [],
  probes,
  sentences: {
    verified: (arm, families) => `BIG TCP is ${side(arm, families)} for ${names(families)} in every layer.`,
    notVerified: (arm, families) => `BIG TCP is not ${side(arm, families)} for ${names(families)}`,
    switched(arm, families, state) {
      const [first] = families
      const size = first === undefined ? null : sizeFor(arm.settings, first, state)
      const limit = size === null ? 'unknown' : `${formatCount(size)} bytes`
      return `BIG TCP is ${side(arm, families)} for ${names(families)}: the nodes' limit is ${limit}. Running pods keep theirs.`
    },
    carried: (families, state) =>
      families.some((family) => compareLayers(state, family) === 'pods-differ')
        ? 'The nodes have the new size and the pods still have the old one.'
        : 'Nodes and pods have the same size.',
  },
} as const satisfies ServerFeature

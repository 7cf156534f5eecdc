import type { FeatureAbout } from '../feature.ts'
import { roleNames } from './roles.ts'

export const about = {
  id: 'nat64',
  name: 'NAT46/64',
  capabilities: [
    { id: 'translator', name: 'choosing what translates between IPv4 and IPv6' },
    { id: 'translator-tayga', name: 'tayga' },
    { id: 'translator-bpf', name: 'translation in BPF' },
    { id: 'translator-pages', name: 'opening pages through a translator' },
  ],
  roleNames,
  programs: ['tayga'],
  topology: 'gateway',
} as const satisfies FeatureAbout

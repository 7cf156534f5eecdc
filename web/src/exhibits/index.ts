/** The exhibits of a probe, shown without knowing the feature that made them. Public exports of this folder. */
export { Exhibits } from './exhibits.tsx'

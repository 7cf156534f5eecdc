/** What a probe found, shown without knowing the feature that found it. Public exports of this folder. */
export { Exhibits } from './exhibits.tsx'

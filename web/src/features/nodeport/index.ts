/** Views that only NodePort has. Public exports of this folder. */
import type { LightViews } from '../views.ts'
import { PathView } from './path/path-view.tsx'

export const nodeportLightViews: LightViews = { Path: PathView }

/** The comparison of two arms. Public exports of this folder. */
export { compareInHues } from './compare-runs.ts'
export { ComparisonView } from './comparison-view.tsx'
export { DifferencesNotice } from './differences-notice.tsx'
export { Published, PublishedBrief } from './published.tsx'
export { SideCard, type RunChoice } from './side-card.tsx'
export { VerdictHeadline, VerdictMark } from './verdict-headline.tsx'

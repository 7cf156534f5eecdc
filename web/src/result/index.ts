/** What one run found. What other rooms and the pages may use. */
export { ExportMenu, recordingPath, reportPath } from './export-menu.tsx'
export { SampledRepeats } from './measurement/sample-view.tsx'
export { EndNotice, OutcomeView } from './outcome-view.tsx'
export { OutputLog } from './output-log.tsx'
export { RunResult } from './run-result.tsx'
export { shownFamily } from './shown-family.ts'

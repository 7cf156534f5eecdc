/** The result of one run. Public exports of this folder. */
export { ExportMenu, recordingPath, reportPath } from './export-menu.tsx'
export { SampledRepeats } from './measurement/sample-view.tsx'
export { EndNotice, OutcomeView } from './outcome-view.tsx'
export { OutputLog } from './output-log.tsx'
export { RunResult } from './run-result.tsx'
export { shownFamily } from './shown-family.ts'

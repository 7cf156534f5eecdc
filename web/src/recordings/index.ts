/** Recordings: which there are, and what is shown of one. What other rooms and the pages may use. */
export { latestSpeed } from './recorded.ts'
export { PlayedBackNotice, RecordingBanner, RecordingMark } from './recording-banner.tsx'
export { RecordingList } from './recording-list.tsx'

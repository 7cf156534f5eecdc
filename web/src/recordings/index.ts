/** Recordings. Public exports of this folder. */
export { latestSpeed } from './recorded.ts'
export { PlayedBackNotice, RecordingBanner, RecordingMark } from './recording-banner.tsx'
export { RecordingList } from './recording-list.tsx'
export { useRecordings } from './use-recordings.ts'

/** Recordings. Public exports of this folder. */
export { latestSpeed, originWords } from './recorded.ts'
export {
  PlayedBackNotice,
  RecordingBanner,
  RecordingBar,
  RecordingMark,
  type RecordingBannerProps,
} from './recording-banner.tsx'
export { useFileDrop } from './use-file-drop.ts'
export { RecordingList } from './recording-list.tsx'
export { useRecordings } from './use-recordings.ts'

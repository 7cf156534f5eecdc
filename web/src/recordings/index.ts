/** Recordings. Public exports of this folder. */
export { latestSpeed, originWords } from './recorded.ts'
export {
  PlayedBackNotice,
  RecordingBanner,
  RecordingBar,
  RecordingMark,
  type RecordingBannerProps,
} from './recording-banner.tsx'
export { FilePick } from './file-pick.tsx'
export { RecordingList } from './recording-list.tsx'
export { useRecordings } from './use-recordings.ts'

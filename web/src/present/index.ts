/** Presenting a lab to a room: the presenter's view and the speaker's window. Public exports of this folder. */
export { PresentedNotice } from './presented-notice.tsx'
export { SpeakerWindow } from './speaker/speaker-window.tsx'
export { Stage } from './stage/stage.tsx'

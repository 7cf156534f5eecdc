/** Help in a workshop: hands, and an instructor who looks. Public exports of this folder. */
export { HandsUp } from './hands-up.tsx'
export { HelpBar } from './help-bar.tsx'
export { SharingNotice } from './sharing-notice.tsx'

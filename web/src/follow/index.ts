/** The light pages: follow a talk, join a room. They load no Recharts and no router. Public exports of this folder. */
export { FollowPage } from './follow-page.tsx'
export { JoinPage } from './join-page.tsx'

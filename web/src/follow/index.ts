/** The light pages: follow a talk, join a room. They load no Mantine, Recharts or router. Public exports of this folder. */
export { FollowPage } from './follow-page.tsx'
export { JoinPage } from './join-page.tsx'

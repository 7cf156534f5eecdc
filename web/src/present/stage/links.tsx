import { Overlay } from './overlay.tsx'

/** How people follow: placeholder until doors exist. */
export function Links({ onClose }: { onClose: () => void }) {
  return (
    <Overlay title="Follow along" onClose={onClose}>
      <p>This server serves no room. Start it with npm start -- --workshop.</p>
    </Overlay>
  )
}

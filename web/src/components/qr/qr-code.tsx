import { encode } from 'uqr'
import classes from './qr-code.module.css'

/** What the standard asks for around a code, in modules. */
const QUIET = 4

/** One path for all dark modules: each run of a row is one rectangle. */
function darkPath(text: string): { size: number; path: string } {
  const { data, size } = encode(text, { ecc: 'M', border: 0 })
  const rectangles = data.flatMap((row, y) =>
    row.flatMap((dark, x) => {
      if (!dark || row[x - 1] === true) return []
      const end = row.indexOf(false, x)
      return [`M${x + QUIET} ${y + QUIET}h${(end === -1 ? size : end) - x}v1H${x + QUIET}z`]
    }),
  )
  return { size: size + 2 * QUIET, path: rectangles.join('') }
}

interface QrCodeProps {
  /** What the code holds: an address. */
  text: string
  /** What it opens, for those who can't see it. */
  label: string
}

/** A QR code, as wide as its container. Dark on white in both themes: many cameras do not read the inverse. */
export function QrCode({ text, label }: QrCodeProps) {
  const { size, path } = darkPath(text)
  return (
    <svg
      className={classes.code}
      viewBox={`0 0 ${size} ${size}`}
      role="img"
      aria-label={label}
      shapeRendering="crispEdges"
    >
      <path d={path} fill="#000" />
    </svg>
  )
}

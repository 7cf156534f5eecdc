import { encode } from 'uqr'
import classes from './qr-code.module.css'

/** The quiet zone that the standard asks for around a code, in modules. */
const QUIET = 4

/** A single path for all dark modules: each run of a row is a rectangle. */
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
  /** The address in the code. */
  text: string
  /** The target of the address, for people who can't see the code. */
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

import { i18n } from '@expresslane/shared/base/language'
import { addressBytes, hexByte, type AddressByte, type PartKind } from '@expresslane/shared/measure/ip/embedded'
import { partNames } from '@expresslane/shared/run/exhibit-table'
import type { Exhibit } from '@expresslane/shared/run/exhibit'
import classes from './exhibits.module.css'

const kinds = ['prefix', 'ipv4', 'zero'] as const satisfies readonly PartKind[]

interface AddressViewProps {
  of: Extract<Exhibit, { kind: 'address' }>
  brief: boolean
}

/** An IPv6 address byte by byte, coloured by the origin of each byte; the bytes of the IPv4 address with their decimals. */
export function AddressView({ of: { title, ipv6, ipv4, prefixBits }, brief }: AddressViewProps) {
  const bytes = addressBytes(ipv6, prefixBits)
  const meaning = { prefix: i18n.t('{count} bits', { count: prefixBits }), ipv4, zero: null } as const
  return (
    <figure className="stack tight">
      <figcaption className="strong large">{title}</figcaption>
      <p className={brief && bytes !== null ? 'hidden' : 'mono muted break-anywhere'}>{ipv6}</p>
      {bytes !== null && (
        <>
          <div className={`${classes.groups} mono`} aria-hidden>
            {pairs(bytes).map((pair, index) => (
              <Group key={index} pair={pair} isLast={index === bytes.length / 2 - 1} />
            ))}
          </div>
          <ul role="list" className="row" aria-label={i18n.t('Parts of the address')}>
            {kinds
              .filter((kind) => bytes.some((byte) => byte.kind === kind))
              .map((kind) => (
                <li key={kind} className="row tight">
                  <span className={classes.part} data-part={kind} aria-hidden />
                  {i18n.t(partNames[kind])}
                  {meaning[kind] !== null && <span className="muted numbers">{meaning[kind]}</span>}
                </li>
              ))}
          </ul>
        </>
      )}
    </figure>
  )
}

function pairs(bytes: readonly AddressByte[]): AddressByte[][] {
  return bytes.flatMap((_, index) => (index % 2 === 0 ? [bytes.slice(index, index + 2)] : []))
}

/** Two bytes, and the colon behind them. */
function Group({ pair, isLast }: { pair: readonly AddressByte[]; isLast: boolean }) {
  return (
    <span className="no-wrap">
      {pair.map(({ kind, value }, index) => (
        <span key={index} className={classes.byte} data-part={kind}>
          <span className={classes.hex}>{hexByte(value)}</span>
          {kind === 'ipv4' && <span className={`${classes.decimal} strong center`}>{value}</span>}
        </span>
      ))}
      {!isLast && <span className="muted">:</span>}
    </span>
  )
}

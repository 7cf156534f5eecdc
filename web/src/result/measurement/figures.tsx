import classes from './figures.module.css'

interface FiguresProps {
  /** Name and value, in order; null for what is not there yet. */
  figures: readonly (readonly [string, string | null])[]
  /** What they are of. */
  note: string
}

/** The numbers to be seen from the back row. */
export function Figures({ figures, note }: FiguresProps) {
  return (
    <div>
      <dl className={classes.figures}>
        {figures.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value ?? '–'}</dd>
          </div>
        ))}
      </dl>
      <p className={classes.note}>{note}</p>
    </div>
  )
}

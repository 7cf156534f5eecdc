import classes from './figures.module.css'

interface FiguresProps {
  /** Name and value; null if there is no value yet. */
  figures: readonly (readonly [string, string | null])[]
  /** How the figures were obtained. */
  note: string
}

/** Numbers in large type. */
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

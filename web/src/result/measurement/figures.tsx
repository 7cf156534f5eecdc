import classes from './measurement-view.module.css'

interface FiguresProps {
  /** Name and value; null if there is no value yet. */
  figures: readonly (readonly [string, string | null])[]
  /** How the figures were obtained. */
  note: string
}

/** Numbers in large type. */
export function Figures({ figures, note }: FiguresProps) {
  return (
    <div className="stack tight">
      <dl className={classes.figures}>
        {figures.map(([name, value]) => (
          <div key={name}>
            <dt className="muted">{name}</dt>
            <dd className="key-figure no-wrap">{value ?? '–'}</dd>
          </div>
        ))}
      </dl>
      <p className="muted">{note}</p>
    </div>
  )
}

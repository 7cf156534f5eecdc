import ReactMarkdown from 'react-markdown'
import classes from './markdown.module.css'

/** A lab's prose. Raw HTML in it stays text: react-markdown makes no element of it. */
export function Markdown({ text }: { text: string }) {
  return (
    <div className={classes.prose}>
      <ReactMarkdown>{text}</ReactMarkdown>
    </div>
  )
}

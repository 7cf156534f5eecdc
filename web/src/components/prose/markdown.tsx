import ReactMarkdown from 'react-markdown'
import classes from './markdown.module.css'

/** The prose of a lab. react-markdown shows raw HTML as text. */
export function Markdown({ text }: { text: string }) {
  return (
    <div className={classes.prose}>
      <ReactMarkdown>{text}</ReactMarkdown>
    </div>
  )
}

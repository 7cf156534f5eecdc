import ReactMarkdown, { type Options } from 'react-markdown'
import classes from './markdown.module.css'

interface MarkdownProps extends Pick<Options, 'components' | 'rehypePlugins'> {
  text: string
}

/** The prose of a lab. react-markdown shows raw HTML as text. */
export function Markdown({ text, ...options }: MarkdownProps) {
  return (
    <div className={classes.prose}>
      <ReactMarkdown {...options}>{text}</ReactMarkdown>
    </div>
  )
}

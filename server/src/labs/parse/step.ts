/** Reads one section of a lab's Markdown as a step: prose, an action, commands and a hint. */
import { actionProperties } from '@expresslane/shared/labs/actions'
import type { Diagram } from '@expresslane/shared/labs/diagram'
import { action, type LabCommand, type Step } from '@expresslane/shared/labs/lab'
import type { ArmPlan } from '@expresslane/shared/measure/experiment'
import { testbedKind } from '@expresslane/shared/testbed/testbed'
import type { Blockquote, Code, RootContent } from 'mdast'
import { readDiagram } from './diagram.ts'
import { completeExperiment } from './experiment.ts'
import { checked } from './explain.ts'
import type { Located } from './located-yaml.ts'
import { expectedOneOf } from './nearest.ts'
import { flaw, unlessFlawed, type Flaw, type TextPosition } from './place.ts'
import { forbiddenIn, parseMarkdown, readYaml, sourceOf, startOf, type Section } from './sections.ts'
import { MAX_NOTES, noPlan, readTalkPlan, type TalkPlan } from './talk.ts'
import { fillData, fillText, type Variables } from './variables.ts'

const MAX_PROSE = 12_000
const MAX_COMMANDS = 40
const MAX_COMMAND = 8_000
const MAX_NOTE = 300
const MAX_HINT = 600
const MAX_LABEL = 40

/** Blocks in these languages are parts of a step, not prose. Any other spelling of them is a mistake. */
const actionLanguages = ['yaml', 'yml']
const commandLanguages = ['sh', 'bash', 'shell', 'console', 'zsh']
const notesLanguages = ['notes', 'note', 'speaker-notes']

interface Acts extends Pick<Step, 'action' | 'actionLabel'> {
  readonly yaml: Located | null
}

export interface ReadStep {
  readonly step: Step
  readonly at: TextPosition
  /** The positions of its action's parts; null without a readable action. */
  readonly yaml: Located | null
}

/** The parts of a lab that all its steps share. */
export interface LabParts {
  readonly source: string
  readonly variables: Variables
  /** Null if they can't be read; then references to arms are not checked. */
  readonly arms: readonly ArmPlan[] | null
}

const nothing: Acts = { action: null, actionLabel: null, yaml: null }

/** Puts the values of variables into a text of the lab. */
type Fill = (text: string, at: TextPosition) => string

/** Reads one section. Problems are added to `flaws`, and the step then lacks the faulty part. */
export function readStep(section: Section, parts: LabParts, flaws: Flaw[]): ReadStep {
  const { source, variables } = parts
  const prose: string[] = []
  const commands: LabCommand[] = []
  let acts: Acts | null = null
  let hint: string | null = null
  let notes: string | null = null
  let plan: TalkPlan | null = null
  let diagram: Diagram | null = null

  const fill: Fill = (text, at) => fillText(text, variables, (message) => flaws.push(flaw(at, message)))

  function takeAction(node: Code): void {
    const at = startOf(node)
    if (node.lang !== 'yaml' || node.meta?.trim() !== 'action') {
      flaws.push(
        flaw(at, 'expected ```yaml action, ```yaml talk or ```yaml diagram: no other YAML is allowed in a step'),
      )
    } else if (acts === null) {
      acts = readAction(node, parts, flaws)
    } else {
      flaws.push(flaw(at, 'expected at most one action in a step: this is the second'))
    }
  }

  function takeCommand(node: Code): void {
    const command = readCommand(node, flaws, fill)
    if (command === null) return
    if (commands.length === MAX_COMMANDS) {
      flaws.push(flaw(startOf(node), `expected at most ${MAX_COMMANDS} blocks of commands`))
    }
    commands.push(command)
  }

  function takePlan(node: Code): void {
    if (plan !== null)
      flaws.push(flaw(startOf(node), 'expected at most one ```yaml talk block in a step: this is the second'))
    plan = readTalkPlan(node, variables, flaws)
  }

  function takeDiagram(node: Code): void {
    if (diagram !== null) flaws.push(flaw(startOf(node), 'expected at most one diagram in a step: this is the second'))
    diagram = readDiagram(node, parts.arms, variables, flaws)
  }

  function takeNotes(node: Code): void {
    if (notes !== null)
      flaws.push(flaw(startOf(node), 'expected at most one ```notes block in a step: this is the second'))
    notes = readNotes(node, flaws, fill)
  }

  function takeHint(node: Blockquote): void {
    if (hint !== null) flaws.push(flaw(startOf(node), 'expected at most one hint in a step: this is the second'))
    hint = readHint(node, source, flaws, fill)
  }

  function takeProse(node: RootContent): void {
    const raw = sourceOf(node, source)
    const filled = fill(raw, startOf(node))
    if (filled !== raw) {
      for (const { message } of forbiddenIn(parseMarkdown(filled))) flaws.push(flaw(startOf(node), message))
    }
    prose.push(filled)
  }

  for (const node of section.nodes) {
    if (node.type === 'code' && node.lang === 'yaml' && node.meta?.trim() === 'talk') takePlan(node)
    else if (node.type === 'code' && node.lang === 'yaml' && node.meta?.trim() === 'diagram') takeDiagram(node)
    else if (node.type === 'code' && notesLanguages.includes(node.lang ?? '')) takeNotes(node)
    else if (node.type === 'code' && actionLanguages.includes(node.lang ?? '')) takeAction(node)
    else if (node.type === 'code' && commandLanguages.includes(node.lang ?? '')) takeCommand(node)
    else if (node.type === 'blockquote') takeHint(node)
    else takeProse(node)
  }

  const text = prose.join('\n\n')
  if (text.trim() === '') flaws.push(flaw(section.at, 'expected prose that explains this step'))
  if (text.length > MAX_PROSE) flaws.push(flaw(section.at, `expected at most ${MAX_PROSE} characters of prose`))
  const { action: does, actionLabel, yaml } = acts ?? nothing
  if (hint !== null && acts === null) {
    flaws.push(flaw(section.at, 'a hint is shown when an action does not succeed, but this step has no action'))
  }
  const { minutes, pauseSeconds, question } = plan ?? noPlan
  const isUnread = acts !== null && does === null
  if (question !== null && !isUnread && actionProperties(does).compares === null) {
    const message = 'a question needs a comparison: expected it in a step with the action compare or experiment'
    flaws.push(flaw(section.at, message))
  }
  const step = {
    id: section.id,
    title: fill(section.title, section.at),
    prose: text,
    diagram,
    commands,
    action: does,
    actionLabel,
    hint,
    notes,
    minutes,
    pauseSeconds,
    question,
  }
  return { step, at: section.at, yaml }
}

/** Null without a testbed that exists; `flaws` then contains the reason. */
function readCommand(node: Code, flaws: Flaw[], fill: Fill): LabCommand | null {
  const at = startOf(node)
  if (node.lang !== 'sh') {
    flaws.push(flaw(at, `expected \`\`\`sh and a testbed, found \`\`\`${node.lang ?? ''}`))
    return null
  }
  const [, word = '', note = ''] = /^\s*(\S*)\s*(.*)$/s.exec(node.meta ?? '') ?? []
  const on = testbedKind.safeParse(word)
  if (!on.success) {
    const given = word === '' ? 'the testbed is missing' : `there is no testbed "${word}"`
    flaws.push(flaw(at, `${given}: ${expectedOneOf(word, testbedKind.options)}, as in \`\`\`sh netns One run`))
    return null
  }
  const command = { on: on.data, note: fill(note.trim(), at), text: fill(node.value, at) }
  if (command.text.trim() === '') flaws.push(flaw(at, 'expected at least one command'))
  if (command.text.length > MAX_COMMAND) flaws.push(flaw(at, `expected at most ${MAX_COMMAND} characters`))
  if (command.note.length > MAX_NOTE) flaws.push(flaw(at, `expected a note of at most ${MAX_NOTE} characters`))
  return command
}

/** The words of the presenter. */
function readNotes(node: Code, flaws: Flaw[], fill: Fill): string {
  const at = startOf(node)
  if (node.lang !== 'notes') flaws.push(flaw(at, `expected \`\`\`notes, found \`\`\`${node.lang ?? ''}`))
  const notes = fill(node.value, at)
  if (notes.trim() === '') flaws.push(flaw(at, 'expected the notes of the presenter for this step'))
  if (notes.length > MAX_NOTES) flaws.push(flaw(at, `expected at most ${MAX_NOTES} characters of notes`))
  for (const one of forbiddenIn(parseMarkdown(notes)))
    flaws.push(flaw({ ...one, line: at.line + one.line }, one.message))
  return notes
}

/** Null without a usable action; `flaws` then contains the reason. */
function readAction(node: Code, { arms, variables }: LabParts, flaws: Flaw[]): Acts {
  const yaml = readYaml(node, flaws)
  if (yaml === null) return nothing
  if (typeof yaml.value !== 'object' || yaml.value === null || Array.isArray(yaml.value)) {
    flaws.push(flaw(startOf(node), 'expected the kind of the action, such as kind: preflight, and its label'))
    return nothing
  }
  const filled = fillData(yaml.value, variables, (path, message) => flaws.push(flaw(yaml.placeOf(path), message)))
  const { label, ...rest } = Object.fromEntries(Object.entries(filled ?? {})) as Record<string, unknown>
  if (typeof label !== 'string' || label.trim() === '' || label.length > MAX_LABEL) {
    flaws.push(flaw(yaml.placeOf(['label']), `"label": expected the text of the button, 1 to ${MAX_LABEL} characters`))
  }
  const full = completeExperiment(rest, arms, (path, message) => flaws.push(flaw(yaml.placeOf(path), message)))
  const result = unlessFlawed(checked(action, full, yaml, ['label']), flaws)
  if (result === null) return nothing
  return { action: result.data, actionLabel: String(label), yaml }
}

/** A block quote of one paragraph of plain text. */
function readHint(
  node: Blockquote,
  source: string,
  flaws: Flaw[],
  fill: (text: string, at: TextPosition) => string,
): string {
  const at = startOf(node)
  const [paragraph] = node.children
  const isPlain = paragraph?.type === 'paragraph' && paragraph.children.every(({ type }) => type === 'text')
  if (node.children.length !== 1 || !isPlain) {
    flaws.push(flaw(at, 'expected a hint of one paragraph of plain text, without Markdown'))
  }
  const lines = sourceOf(node, source)
    .split('\n')
    .map((line) => line.replace(/^\s*>?\s?/, '').trim())
  const hint = fill(lines.join(' ').trim(), at)
  if (hint.length > MAX_HINT) flaws.push(flaw(at, `expected at most ${MAX_HINT} characters of hint`))
  return hint
}

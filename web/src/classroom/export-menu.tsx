import { i18n } from '@expresslane/shared/base/language'
import type { Lab } from '@expresslane/shared/labs/lab'
import { useState } from 'react'
import { roomFile } from '../api/room.ts'
import { Checkbox } from '../components/controls.tsx'
import { DropMenu } from '../components/drop-menu.tsx'
import { IconFileExport } from '../icons.tsx'
import classes from './board.module.css'

/** The room's files of a lab. Those by step name nobody until the instructor chooses so. */
export function ExportMenu({ lab }: { lab: Lab }) {
  const [named, setNamed] = useState(false)
  const files: readonly (readonly [string, string, string])[] = [
    ['CSV', i18n.t('everybody’s result in “{title}”', { title: lab.title }), roomFile.results(lab.id)],
    [i18n.t('Report'), i18n.t('one page with the room’s dot plot'), roomFile.report(lab.id)],
    [i18n.t('Steps: report'), i18n.t('one page on where the room got stuck'), roomFile.stepsReport(lab.id, named)],
    [i18n.t('Steps: CSV'), i18n.t('a line for each step'), roomFile.steps(lab.id, named)],
    [i18n.t('Steps: xAPI'), i18n.t('statements for a learning record store'), roomFile.statements(lab.id, named)],
  ]
  return (
    <DropMenu label={i18n.t('Export')} icon={<IconFileExport size={18} stroke={1.8} aria-hidden />}>
      {files.map(([name, about, address]) => (
        <li key={name}>
          <a href={address} download>
            {name} <small>{about}</small>
          </a>
        </li>
      ))}
      <li className={classes.names}>
        <Checkbox
          label={i18n.t('Name people in “Steps”')}
          checked={named}
          onChange={({ currentTarget }) => setNamed(currentTarget.checked)}
        />
      </li>
    </DropMenu>
  )
}

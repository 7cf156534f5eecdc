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
    ['CSV', `everybody’s result in “${lab.title}”`, roomFile.results(lab.id)],
    ['Report', 'one page with the room’s dot plot', roomFile.report(lab.id)],
    ['Steps: report', 'one page on where the room got stuck', roomFile.stepsReport(lab.id, named)],
    ['Steps: CSV', 'a line for each step', roomFile.steps(lab.id, named)],
    ['Steps: xAPI', 'statements for a learning record store', roomFile.statements(lab.id, named)],
  ]
  return (
    <DropMenu label="Export" icon={<IconFileExport size={18} stroke={1.8} aria-hidden />}>
      {files.map(([name, about, address]) => (
        <li key={name}>
          <a href={address} download>
            {name} <small>{about}</small>
          </a>
        </li>
      ))}
      <li className={classes.names}>
        <Checkbox
          label="Name people in “Steps”"
          checked={named}
          onChange={({ currentTarget }) => setNamed(currentTarget.checked)}
        />
      </li>
    </DropMenu>
  )
}

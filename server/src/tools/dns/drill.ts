/** drill: a name server's answer to a question. It asks again after 5 s. */
import { unreadable } from '../read-output.ts'

export type RecordType = 'A' | 'AAAA'

export interface Question {
  readonly server: string
  readonly port: number
  readonly name: string
  readonly type: RecordType
}

/** The command ends with exit code 124 if no answer comes within 10 s: a busy machine can need seconds. */
export function drillArgv({ server, port, name, type }: Question): string[] {
  return ['timeout', '10', 'drill', '-p', String(port), `@${server}`, type, name]
}

export interface DnsRecord {
  readonly name: string
  readonly ttlSeconds: number
  readonly type: string
  readonly data: string
}

export interface DnsAnswer {
  /** As the field has it: `NOERROR`, `NXDOMAIN`, `SERVFAIL`, `REFUSED`. */
  readonly status: string
  /** The addresses of the type, and the aliases that lead to them; empty: there are none. */
  readonly records: readonly DnsRecord[]
}

const header = /^;; ->>HEADER<<- opcode: QUERY, rcode: (\w+), id: \d+$/m
/** The lines of the answer; the authority section has a record, too, where there is no answer. */
const answerSection = /^;; ANSWER SECTION:\n([^;]*)^;;/m
const record = /^([^;\s]\S*)\s+(\d+)\s+IN\s+(\S+)\s+(\S.*)$/

/** Reads the output of {@link drillArgv}. @throws LabError `tool_output_unreadable` */
export function parseDrill(text: string): DnsAnswer {
  const status = header.exec(text)?.[1]
  if (status === undefined) {
    const remedy = 'Run the command of this step by hand: it prints an answer with its status.'
    throw unreadable({ name: 'The output of drill', remedy }, text)
  }
  const records = (answerSection.exec(text)?.[1] ?? '').split('\n').flatMap((line) => {
    const [, name, ttl, type, data] = record.exec(line.trimEnd()) ?? []
    if (name === undefined || type === undefined || data === undefined) return []
    return [{ name: name.replace(/\.$/, ''), ttlSeconds: Number(ttl), type, data }]
  })
  return { status, records }
}

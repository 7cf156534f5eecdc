/** Finds figures and words of time, for tests of what is shown where instructions are counted. */
const OF_TIME =
  /\d\s?(?:µs|us|ns|ms|s|TPS|[kM]?pps|[KMG]?bit\/s)\b|(?<![\w/])(?:µs|us|ns|ms|TPS|[kM]pps|[KMG]?bit\/s)(?![\w])|\w\/s\b|(?:per|a|each) (?:micro|milli|nano)?second|[Ss]econds? each|\bCPU time\b|slower|faster|longer|shorter/g

/** The parts of a text that show a figure as time, or speak of one so. */
export function timeWords(text: string): string[] {
  return text.match(OF_TIME) ?? []
}

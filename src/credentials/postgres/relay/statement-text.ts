/** What the journal keeps of a statement, in characters. */
const mostText = 2000;

/** The beginning of a statement for the journal. */
export function statementText(bytes: Buffer, start: number, end: number): string {
  return bytes.toString('utf8', start, Math.min(end, start + mostText * 4)).slice(0, mostText);
}

import { appendFileSync } from 'node:fs';

/** One line for each event. JSON escapes replace bytes that would break the line. */
export type Log = (text: string) => void;

export function createLog(file: string): Log {
  return (text) => appendFileSync(file, `${JSON.stringify(text).slice(1, -1)}\n`);
}

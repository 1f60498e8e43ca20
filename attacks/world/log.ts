import { appendFileSync } from 'node:fs';

/** One line for each thing that happened; bytes that would break the line are written as in JSON. */
export type Log = (text: string) => void;

export function createLog(file: string): Log {
  return (text) => appendFileSync(file, `${JSON.stringify(text).slice(1, -1)}\n`);
}

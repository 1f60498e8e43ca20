import { globSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';

/** One line of a file below a folder, with its minimum verdict. */
type CorpusLine = readonly [name: string, line: string, effect: string];

/** `json:` precedes a line that is a JSON string. */
export function corpusLines(outcome: string): readonly CorpusLine[] {
  return globSync(`${import.meta.dirname}/../${outcome}/*.t*`).flatMap((file) =>
    readFileSync(file, 'utf8')
      .split('\n')
      .filter((line) => line !== '')
      .map((row) => {
        const [line = '', effect = ''] = row.split('\t');
        const name = basename(file).replace(/\.\w+$/u, '');
        return [name, line.startsWith('json:') ? String(JSON.parse(line.slice(5))) : line, effect] as const;
      }),
  );
}

export const outcomes = ['read', 'write', 'network', 'code', 'ask', 'effect'] as const;

import {
  array,
  boolean,
  description,
  type InferOutput,
  minLength,
  number,
  optional,
  picklist,
  pipe,
  strictObject,
  string,
} from 'valibot';
import { describeFindings } from '../../../text/describe-findings.ts';
import { defineTool, readsOnly, type ToolAnswer, type ToolContext } from '../tool.ts';
import { hiddenNote, path, textField, wholeNumber } from './fields.ts';

const input = strictObject({
  pattern: pipe(textField('A regular expression.', 4096), minLength(1)),
  path: optional(path('A file or directory.'), '.'),
  glob: optional(textField('Only files with this name, such as *.ts.', 1024)),
  ignoreCase: optional(pipe(boolean(), description('Whether to ignore case.')), false),
  limit: optional(wholeNumber('Most lines to return.', [1, 1000]), 100),
});

const output = strictObject({
  lines: array(strictObject({ path: string(), line: number(), text: string() })),
  searched: picklist(['whole', 'limit']),
  program: picklist(['rg', 'grep']),
  complaint: string(),
  hidden: hiddenNote,
});

export const grepTool = defineTool({
  name: 'grep',
  title: 'Search in files',
  description:
    'Finds lines that match a regular expression, with ripgrep where it is installed (which skips files in .gitignore), else with grep -E. Returns the first 500 bytes of each line.',
  annotations: readsOnly,
  input,
  output,
  run,
});

async function run(
  { pattern, path: name, glob, ignoreCase, limit }: InferOutput<typeof input>,
  { sandbox, signal }: ToolContext,
): Promise<ToolAnswer<InferOutput<typeof output>>> {
  const { lines, searched, program, complaint, findings } = await sandbox.filesForModel.search(pattern, {
    path: name,
    letters: ignoreCase ? 'insensitive' : 'sensitive',
    limit,
    signal,
    ...(glob === undefined ? {} : { glob }),
  });
  const hidden = describeFindings(findings);
  const notes = [
    lines.length === 0 ? '[nothing found]' : '',
    searched === 'limit' ? `[only the first ${limit} lines]` : '',
    complaint === '' ? '' : `[${program}: ${complaint}]`,
    hidden === '' ? '' : `[they have hidden characters: ${hidden}]`,
  ].filter((note) => note !== '');
  const structured = { lines: [...lines], searched, program, complaint, ...(hidden === '' ? {} : { hidden }) };
  return { text: [...lines.map((line) => `${line.path}:${line.line}:${line.text}`), ...notes].join('\n'), structured };
}

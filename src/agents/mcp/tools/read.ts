import { type InferOutput, number, optional, picklist, strictObject, string } from 'valibot';
import { describeFindings } from '../../../text/describe-findings.ts';
import { defineTool, readsOnly, type ToolAnswer, type ToolContext } from '../tool.ts';
import { hiddenNote, path, wholeNumber } from './fields.ts';

const mostLines = 2000;
const maxBytes = 64 * 1024;

const input = strictObject({
  path: path('A file.'),
  from: optional(wholeNumber('Number of the first line.', [1, Number.MAX_SAFE_INTEGER]), 1),
  count: optional(wholeNumber('Number of lines.', [1, mostLines]), mostLines),
});

const output = strictObject({
  path: string(),
  text: string(),
  from: number(),
  count: number(),
  stopped: picklist(['end', 'lines', 'bytes']),
  form: picklist(['text', 'binary']),
  hidden: hiddenNote,
});

export const readTool = defineTool({
  name: 'read',
  title: 'Read a file',
  description: `Reads lines of a text file: at most ${mostLines} and ${maxBytes / 1024} KiB at a time. "stopped" says whether the file ends there; "from" goes on.`,
  annotations: readsOnly,
  input,
  output,
  run,
});

async function run(
  { path: name, from, count }: InferOutput<typeof input>,
  { sandbox, signal }: ToolContext,
): Promise<ToolAnswer<InferOutput<typeof output>>> {
  const { text, findings, ...lines } = await sandbox.filesForModel.lines(name, { from, count, maxBytes, signal });
  const hidden = describeFindings(findings);
  const structured = {
    path: name,
    text,
    from,
    count: lines.count,
    stopped: lines.stopped,
    form: lines.form,
    ...(hidden === '' ? {} : { hidden }),
  };
  return { text: textOf(structured), structured };
}

function textOf({ text, from, count, stopped, form, hidden }: InferOutput<typeof output>): string {
  if (form === 'binary') return '[this is not text: look at it with bash]';
  const next = from + count;
  const notes = [
    count === 0 ? `[nothing at line ${from}]` : '',
    stopped === 'lines' ? `[more lines from ${next} on]` : '',
    stopped === 'bytes' ? `[cut off within line ${next - 1}: its lines are long]` : '',
    hidden === undefined ? '' : `[the file has hidden characters: ${hidden}]`,
  ].filter((note) => note !== '');
  return notes.length === 0 ? text : `${text}${text === '' || text.endsWith('\n') ? '' : '\n'}${notes.join('\n')}`;
}

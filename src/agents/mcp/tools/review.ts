import {
  array,
  description,
  maxLength,
  number,
  optional,
  picklist,
  pipe,
  record,
  strictObject,
  string,
  type InferOutput,
} from 'valibot';
import { escapePath, reviewText, unescapePath, type Review } from '../../../sandbox/index.ts';
import { defineTool, readsOnly, type ToolAnswer, type ToolContext } from '../tool.ts';
import { path } from './fields.ts';

/** Characters of the text. */
const longestText = 64 * 1024;
const mostChanges = 1000;

const input = strictObject({
  paths: optional(
    pipe(array(path('A path.')), maxLength(100), description('Only changes at these paths. Default: all.')),
    [],
  ),
  detail: optional(
    pipe(picklist(['patch', 'stat', 'names']), description('A diff of each change, a line each, or names.')),
    'patch',
  ),
});

const output = strictObject({
  layer: string(),
  counts: record(string(), number()),
  changes: array(
    strictObject({
      kind: string(),
      path: string(),
      from: optional(string()),
      conflict: optional(string()),
      refusal: optional(string()),
    }),
  ),
  leftOut: number(),
  text: string(),
});

export const reviewTool = defineTool({
  name: 'review',
  title: 'Review staged changes',
  description:
    'Shows the changes of the session so far. None is on the host yet: a person accepts them with `holdfast accept`, or discards them.',
  annotations: readsOnly,
  input,
  output,
  run,
});

async function run(
  { paths, detail }: InferOutput<typeof input>,
  { sandbox }: ToolContext,
): Promise<ToolAnswer<InferOutput<typeof output>>> {
  const review = await sandbox.review(paths.length === 0 ? undefined : paths.map(unescapePath));
  const text = await boundedText(review, detail);
  const structured = { ...factsOf(review), text };
  return { text: text === '' ? '[nothing was changed]' : text, structured };
}

async function boundedText(review: Review, detail: 'patch' | 'stat' | 'names'): Promise<string> {
  const lines: string[] = [];
  let size = 0;
  for await (const line of reviewText(review, detail)) {
    size += line.length + 1;
    if (size > longestText) return [...lines, '[more is left out: ask for some of the paths]'].join('\n');
    lines.push(line);
  }
  return lines.join('\n');
}

function factsOf({ layer, counts, changes }: Review): Omit<InferOutput<typeof output>, 'text'> {
  const told = changes.slice(0, mostChanges).map(({ kind, path: changed, from, conflict, refusal }) => ({
    kind,
    path: escapePath(changed),
    ...(from === undefined ? {} : { from: escapePath(from) }),
    ...(conflict === undefined ? {} : { conflict: conflict.reason }),
    ...(refusal === undefined ? {} : { refusal: refusal.reason }),
  }));
  return { layer: layer.id, counts: { ...counts }, changes: told, leftOut: changes.length - told.length };
}

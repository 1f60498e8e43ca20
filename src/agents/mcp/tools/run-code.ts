import { resolve } from 'node:path';
import {
  array,
  boolean,
  description,
  maxLength,
  minLength,
  number,
  optional,
  picklist,
  pipe,
  strictObject,
  string,
  type InferOutput,
} from 'valibot';
import { describeFindings, escapePath, type CodeExecution, type CodeResult } from '../../../sandbox/index.ts';
import { defineTool, type ToolAnswer, type ToolContext, type ToolImage } from '../tool.ts';
import { hiddenNote, refusals, textField, wholeNumber } from './fields.ts';
import { refusalFacts, refusalText } from './refusal-facts.ts';

const longestCode = 1024 * 1024;
/** Bytes of each stream, and characters of one form of a value, that a model gets. */
const keptOutput = 32 * 1024;
const defaultTimeout = 120_000;
const longestTimeout = 3_600_000;
/** Milliseconds until a session that ignores an interrupt is ended. */
const grace = 20_000;
/** Bytes of all pictures, and their number. */
const mostOfImages = 6 << 20;
const mostImages = 8;
const mostResults = 100;
/** Characters of all forms of values. */
const mostText = 256 * 1024;
const mostArtifacts = 100;

const input = strictObject({
  language: picklist(['python', 'javascript', 'typescript', 'shell']),
  code: pipe(
    textField(
      'The code. The result contains the value of its last expression; display(value) shows others.',
      longestCode,
    ),
    minLength(1),
  ),
  session: optional(
    textField('A name of your choice. Default: an interpreter of its own, which ends with the code.', 64),
  ),
  restart: optional(pipe(boolean(), description('Begins the session again before.'))),
  end: optional(pipe(boolean(), description('Ends the session afterwards.'))),
  cwd: optional(textField('The directory where a new interpreter starts. Default: that of the session.', 4096)),
  timeoutMs: optional(wholeNumber('Milliseconds after which it is interrupted.', [1, longestTimeout]), defaultTimeout),
  artifacts: optional(
    pipe(
      array(pipe(string(), minLength(1), maxLength(1024))),
      maxLength(20),
      description('Patterns of files, such as "*.csv" and "out/**", from where the interpreter started.'),
    ),
    [],
  ),
});

const output = strictObject({
  ending: picklist(['completed', 'exited', 'timed-out', 'aborted']),
  exitCode: optional(number()),
  results: array(
    strictObject({
      kind: picklist(['value', 'display']),
      formats: array(strictObject({ mimeType: string(), bytes: number(), text: optional(string()) })),
    }),
  ),
  /** Number of omitted forms of values. */
  resultsLeftOut: number(),
  stdout: string(),
  stderr: string(),
  /** Bytes. */
  leftOut: strictObject({ stdout: number(), stderr: number() }),
  error: optional(strictObject({ name: string(), message: string(), traceback: string() })),
  artifacts: array(strictObject({ path: string(), mimeType: string(), bytes: number() })),
  /** Number of made or changed files that are omitted: too many, too large, or not regular. */
  artifactsLeftOut: number(),
  /** Not `whole` if more files may have changed: a pattern matches too many, or its tree is too large. */
  artifactsSearched: picklist(['whole', 'limit', 'entries']),
  refusals,
  hidden: hiddenNote,
});

type Facts = InferOutput<typeof output>;

export const runCodeTool = defineTool({
  name: 'run_code',
  title: 'Run code',
  description:
    'Runs Python, JavaScript, TypeScript or shell inside a box. Returns the value of the last expression, displayed values, output and errors. Plots come as pictures, tables as HTML and CSV if the libraries are installed. With `session`, a name of your choice, an interpreter keeps its definitions for later calls of that name and language; `restart` starts it again. `artifacts` are patterns of files: the result lists new and changed files, and shows pictures among them.',
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
  input,
  output,
  run,
});

async function run(
  { code, timeoutMs, artifacts, ...chosen }: InferOutput<typeof input>,
  { sandbox, options, signal, progress, refused, contexts }: ToolContext,
): Promise<ToolAnswer<Facts>> {
  const limits = {
    show: 'model',
    keep: 'ends',
    maxOutputBytes: keptOutput,
    timeoutMs,
    signal,
    artifacts,
    ...(progress === undefined ? {} : { onOutput: progress }),
  } as const;
  const where = {
    language: chosen.language,
    graceMs: grace,
    signal,
    ...(chosen.cwd === undefined ? {} : { cwd: resolve(options.cwd, chosen.cwd) }),
  };
  const { session } = chosen;
  const execution =
    session === undefined
      ? await sandbox.code.run(code, { ...where, ...limits })
      : await (await contexts.get(session, where, chosen.restart === true ? 'again' : 'same')).run(code, limits);
  if (session !== undefined && chosen.end === true) await contexts.end(session, chosen.language);
  const structured = factsOf(execution);
  refused.add(structured.refusals);
  return { text: textOf(structured, timeoutMs), structured, images: imagesOf(execution) };
}

function factsOf({
  ending,
  exitCode,
  results,
  resultsLeftOut,
  stdout,
  stderr,
  truncated,
  error,
  artifacts,
  artifactsLeftOut,
  artifactsSearched,
  refusals: told,
  findings,
}: CodeExecution): Facts {
  const hidden = describeFindings(findings);
  const format = formatFacts();
  return {
    ending,
    ...(exitCode === undefined ? {} : { exitCode }),
    results: results.slice(0, mostResults).map(({ kind, formats }) => ({ kind, formats: formats.map(format) })),
    resultsLeftOut: resultsLeftOut + results.slice(mostResults).reduce((sum, { formats }) => sum + formats.length, 0),
    stdout: stdout.toString(),
    stderr: stderr.toString(),
    leftOut: truncated,
    ...(error === undefined
      ? {}
      : { error: { name: error.name, message: shortened(error.message), traceback: shortened(error.traceback) } }),
    artifacts: artifacts
      .slice(0, mostArtifacts)
      .map(({ path, mimeType, data }) => ({ path: escapePath(path), mimeType, bytes: data.length })),
    artifactsLeftOut: artifactsLeftOut.length + artifacts.slice(mostArtifacts).length,
    artifactsSearched,
    refusals: told.map(refusalFacts),
    ...(hidden === '' ? {} : { hidden }),
  };
}

/** Shows each form in turn while there is room. Attack: a loop that shows more than a model can read. */
function formatFacts(): (format: CodeResult['formats'][number]) => Facts['results'][number]['formats'][number] {
  let room = mostText;
  return ({ mimeType, data }) => {
    const text = /^text\/|[/+](?:json|xml)$/u.test(mimeType) ? shortened(data.toString()) : undefined;
    if (text === undefined || text.length > room) return { mimeType, bytes: data.length };
    room -= text.length;
    return { mimeType, bytes: data.length, text };
  };
}

function shortened(whole: string): string {
  return whole.length <= keptOutput
    ? whole
    : `${whole.slice(0, keptOutput)}\n[… ${whole.length - keptOutput} characters left out …]`;
}

/** Types that a client shows as pictures, judged by the bytes. */
const pictures: ReadonlySet<string> = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp']);

function imagesOf({ results, artifacts }: CodeExecution): readonly ToolImage[] {
  let room = mostOfImages;
  const images: ToolImage[] = [];
  for (const { mimeType, data } of [...results.flatMap(({ formats }) => formats), ...artifacts]) {
    if (!pictures.has(mimeType) || data.length > room || images.length === mostImages) continue;
    room -= data.length;
    images.push({ mimeType, data: data.toString('base64') });
  }
  return images;
}

function textOf(
  {
    ending,
    exitCode,
    results,
    stdout,
    stderr,
    error,
    artifacts,
    artifactsLeftOut,
    artifactsSearched,
    refusals: told,
    hidden,
  }: Facts,
  timeoutMs: number,
): string {
  const lines = [
    stdout.trimEnd(),
    stderr.trimEnd() === '' ? '' : `[stderr]\n${stderr.trimEnd()}`,
    ...results.map(
      ({ formats }) =>
        formats.find(({ mimeType }) => mimeType === 'text/plain')?.text ??
        `[${formats.map(({ mimeType }) => mimeType).join(', ')}]`,
    ),
    error === undefined ? '' : error.traceback.trimEnd() || `${error.name}: ${error.message}`,
    ending === 'timed-out'
      ? `[the time limit interrupted it; timeoutMs was ${timeoutMs}]`
      : exitCode === undefined || exitCode === 0
        ? ''
        : `[exit code ${exitCode}]`,
    ...artifacts.map(({ path, mimeType, bytes }) => `[made ${path}: ${mimeType}, ${bytes} bytes]`),
    artifactsLeftOut === 0 ? '' : `[${artifactsLeftOut} more files were made or changed]`,
    artifactsSearched === 'whole' ? '' : '[the patterns mean too many files: more may have changed]',
    ...told.map((each) => `[${refusalText(each)}]`),
    hidden === undefined ? '' : `[the output has hidden characters: ${hidden}]`,
  ].filter((line) => line !== '');
  return lines.length === 0 ? '[no output]' : lines.join('\n');
}

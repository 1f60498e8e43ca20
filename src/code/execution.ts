import { type Refusal, withNews } from '../place/refusals/refusal.ts';
import type { CommandEnd, CommandEnding } from '../session/commands/command-handle.ts';
import { KeptEnds, type KeptPart, KeptStart } from '../session/commands/kept.ts';
import type { Reader } from '../session/shown-output.ts';
import { OutputFilter, present, type TextFinding } from '../text/index.ts';
import { readArtifacts } from './artifacts.ts';
import type { CodeError, CodeExecution, CodeFormat, CodeResult } from './code-execution.ts';
import type { ChangedFiles } from './changed-files.ts';
import type { Answered } from './interpreter.ts';
import { mimeType } from './mime-type.ts';
import type { CodeReply, ReplyFormat } from './protocol/reply-reader.ts';
import type { CodeContextOptions, CodeParts } from './start-interpreter.ts';

/** Outcome of running one text. */
export interface Ran extends Answered {
  readonly stdout: HeardOutput;
  readonly stderr: HeardOutput;
  readonly early: CommandEnding | undefined;
}

export interface Around extends CodeParts {
  readonly options: CodeContextOptions;
  readonly show: Reader | undefined;
}

/** Returns the result in the caller's form. */
export async function execution(
  { session, files, options, show }: Around,
  { replies, ended, stdout, stderr, early }: Ran,
  changed: ChangedFiles,
): Promise<CodeExecution> {
  const [out, err] = [stdout.end(), stderr.end()];
  const shaped = shapedResults(replies, show);
  const findings = [...out.findings, ...err.findings, ...shaped.findings];
  if (show !== undefined)
    (await import('../session/shown-output.ts')).noteShown(session, {
      argv: ['run_code', options.language],
      reader: show,
      findings,
    });
  const told = `${err.bytes.toString()}\n${shaped.error?.traceback ?? ''}`;
  const observed: readonly Refusal[] =
    told.trim() === ''
      ? []
      : await (await import('../aftermath/aftermath.ts')).observeRefusals(session, told, {
          cwd: options.cwd ?? session.place.workspace.cwd,
        });
  const { artifacts, leftOut } = await readArtifacts(files, changed.files);
  return {
    ...shaped,
    findings,
    stdout: out.bytes,
    stderr: err.bytes,
    truncated: { stdout: out.truncated, stderr: err.truncated },
    ending: endingOf(ended, early),
    ...(ended === undefined ? {} : endOf(ended)),
    artifacts,
    artifactsLeftOut: leftOut,
    artifactsSearched: changed.searched,
    refusals: withNews(ended?.refusals ?? [], observed),
    quarantined: ended?.quarantined ?? [],
  };
}

function endingOf(ended: CommandEnd | undefined, early: CommandEnding | undefined): CodeExecution['ending'] {
  if (early === 'timed-out' || early === 'aborted') return early;
  if (ended === undefined) return 'completed';
  return ended.ending === 'timed-out' ? 'timed-out' : 'exited';
}

function endOf(ended: CommandEnd): Pick<CodeExecution, 'exitCode' | 'signal' | 'error'> {
  if (ended.exitCode === 0) return { exitCode: 0 };
  return {
    exitCode: ended.exitCode,
    ...(ended.signal === 0 ? {} : { signal: ended.signal }),
    error: { name: 'InterpreterEnded', message: describeEnd(ended), traceback: '' },
  };
}

export function describeEnd({ exitCode, signal, ending }: CommandEnd): string {
  if (ending === 'timed-out') return 'its time limit was reached';
  return signal === 0
    ? `its interpreter exited with status ${exitCode}`
    : `its interpreter was ended by signal ${signal}`;
}

type Shaped = Pick<CodeExecution, 'results' | 'resultsLeftOut' | 'error' | 'exitCode' | 'findings'>;

/**
 * Most findings of all results together. Attack: thousands of forms, each with the maximum number of hidden characters
 * that may be reported.
 */
const mostFindings = 1000;

/** Returns the answers in the caller's form. `shown`: texts for a model or a person. */
export function shapedResults(replies: readonly CodeReply[], show: 'model' | 'person' | undefined): Shaped {
  const findings: TextFinding[] = [];
  const filter = (text: string): string => {
    if (show === undefined) return text.toWellFormed();
    const filtered = present(boundaryOf(show), text);
    findings.push(...filtered.findings.slice(0, mostFindings - findings.length));
    return filtered.text;
  };
  const json = show === undefined ? jsonOf : (text: string) => shownJson(text, show);
  const results = replies.flatMap((reply) => (reply.kind === 'end' ? [] : [resultOf(reply, filter, json)]));
  const end = replies.findLast((reply) => reply.kind === 'end');
  return {
    results,
    resultsLeftOut: end?.leftOut ?? 0,
    findings,
    ...(end?.error === undefined ? {} : { error: errorOf(end.error, filter) }),
    ...(end?.exitCode === undefined ? {} : { exitCode: end.exitCode }),
  };
}

type Filter = (text: string) => string;

function boundaryOf(show: 'model' | 'person'): 'command-output' | 'terminal-output' {
  return show === 'model' ? 'command-output' : 'terminal-output';
}

function errorOf({ name, message, traceback }: CodeError, filter: Filter): CodeError {
  return { name: filter(name), message: filter(message), traceback: filter(traceback) };
}

function resultOf(
  { kind, formats: given }: Exclude<CodeReply, { readonly kind: 'end' }>,
  filter: Filter,
  parse: (text: string) => unknown,
): CodeResult {
  const formats = given.map((format) => formatOf(format, filter));
  const text = formats.find(({ mimeType: type }) => type === 'text/plain')?.data.toString();
  const written = given.find(({ type }) => type === 'application/json');
  const json = written !== undefined && 'text' in written ? parse(written.text) : undefined;
  return { kind, formats, ...(text === undefined ? {} : { text }), ...(json === undefined ? {} : { json }) };
}

/** Types whose data is never text. */
const neverText = /^(?:image|audio|video|font)\/(?!svg\+xml$)/iu;

/** Attack: a false picture, or a text that is declared as bytes, would bypass the filter. */
function formatOf(format: ReplyFormat, filter: Filter): CodeFormat {
  if ('text' in format) {
    const data = Buffer.from(filter(format.text));
    return { mimeType: neverText.test(format.type) ? mimeType('', data) : format.type, data };
  }
  const data = Buffer.from(format.base64, 'base64');
  const type = mimeType('', data);
  return { mimeType: type, data: type === 'text/plain' ? Buffer.from(filter(data.toString())) : data };
}

/** Attack: endless nesting, where each level takes a stack frame of the program that reads the result. */
const deepest = 1000;

function jsonOf(text: string): unknown {
  try {
    return survey(text).depth > deepest ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * Undefined if one of its strings contains characters that `show` removes from texts. The other forms show them.
 * Attack: to a filter, a JSON escape consists of letters, but once parsed it is the character itself.
 */
function shownJson(text: string, show: 'model' | 'person'): unknown {
  const value = jsonOf(text);
  if (value === undefined) return undefined;
  const written = JSON.stringify(value);
  return survey(written).controls > 0 || present(boundaryOf(show), written).findings.length > 0 ? undefined : value;
}

/**
 * Returns the depth of a JSON text, and the number of control characters in its strings, except tabs and line ends.
 * Expects the form that `JSON.stringify` writes.
 */
function survey(json: string): { readonly depth: number; readonly controls: number } {
  let [depth, most, controls] = [0, 0, 0];
  let place: 'inside' | 'outside' = 'outside';
  for (let at = 0; at < json.length; at += 1) {
    const character = json[at];
    if (character === '"') place = place === 'inside' ? 'outside' : 'inside';
    else if (place === 'inside') {
      if (character !== '\\') continue;
      at += 1;
      if (control.test(json.slice(at, at + 4))) controls += 1;
    } else if (character === '[' || character === '{') most = Math.max(most, (depth += 1));
    else if (character === ']' || character === '}') depth -= 1;
  }
  return { depth: most, controls };
}

/** Matches the text after the backslash. */
const control = /^(?:u00[01]|[bf]|r(?!\\n))/u;

interface HeardOptions {
  readonly show: Reader | undefined;
  /** Bytes. */
  readonly limit: number;
  readonly keep: KeptPart | undefined;
  readonly onOutput: ((chunk: Buffer) => void) | undefined;
}

/** One stream of one run, both as kept and as shown. */
export class HeardOutput {
  readonly #options: HeardOptions;
  readonly #kept: KeptStart | KeptEnds;
  readonly #filter: OutputFilter | undefined;

  constructor(options: HeardOptions) {
    this.#options = options;
    this.#kept = options.keep === 'ends' ? new KeptEnds(options.limit) : new KeptStart(options.limit);
    this.#filter = options.show === undefined ? undefined : new OutputFilter({ for: options.show });
  }

  readonly push = (chunk: Buffer): void => this.#keep(this.#filter?.push(chunk) ?? chunk);

  end(): { readonly bytes: Buffer; readonly truncated: number; readonly findings: readonly TextFinding[] } {
    if (this.#filter !== undefined) this.#keep(this.#filter.end());
    return {
      bytes: this.#kept.bytes(),
      truncated: this.#kept.leftOut,
      findings: this.#filter?.report().findings ?? [],
    };
  }

  #keep(bytes: Uint8Array): void {
    if (bytes.length === 0) return;
    const chunk = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#kept.push(chunk);
    this.#options.onOutput?.(chunk);
  }
}

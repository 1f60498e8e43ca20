import { resolve } from 'node:path';
import { array, type InferOutput, minLength, number, optional, picklist, pipe, strictObject, string } from 'valibot';
import type { CommandResult } from '../../../session/commands/command-handle.ts';
import { describeFindings } from '../../../text/describe-findings.ts';
import { escapePath } from '../../../text/paths/escape-path.ts';
import { defineTool, type ToolAnswer, type ToolContext } from '../tool.ts';
import { hiddenNote, refusals, textField, wholeNumber } from './fields.ts';
import { refusalFacts, refusalText } from './refusal-facts.ts';

const longestCommand = 128 * 1024;
const longestInput = 4 * 1024 * 1024;
/** Bytes of each stream that a model gets. */
const keptOutput = 32 * 1024;
const defaultTimeout = 120_000;
const longestTimeout = 3_600_000;

const input = strictObject({
  command: pipe(textField('A text for bash.', longestCommand), minLength(1)),
  cwd: optional(textField('The directory where it starts. Default: that of the session.', 4096)),
  timeoutMs: optional(wholeNumber('Milliseconds after which it is ended.', [1, longestTimeout]), defaultTimeout),
  stdin: optional(textField('Text for its stdin. Default: none.', longestInput)),
});

const output = strictObject({
  exitCode: number(),
  ending: picklist(['exited', 'timed-out', 'aborted']),
  stdout: string(),
  stderr: string(),
  /** Bytes. */
  leftOut: strictObject({ stdout: number(), stderr: number() }),
  refusals,
  quarantined: array(strictObject({ path: string(), movedTo: string(), reason: string() })),
  hidden: hiddenNote,
});

export const bashTool = defineTool({
  name: 'bash',
  title: 'Run a command',
  description: `Runs a text with bash inside a box of its own, and returns its output. Each stream has at most ${keptOutput / 1024} KiB: of longer output, the start and the end. Processes that it starts end with it. The result also lists refusals, with the grants that would allow them.`,
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
  input,
  output,
  run,
});

async function run(
  { command, cwd, timeoutMs, stdin }: InferOutput<typeof input>,
  { sandbox, options, signal, progress, refused }: ToolContext,
): Promise<ToolAnswer<InferOutput<typeof output>>> {
  const result = await sandbox.commands.run(['bash', '-c', command], {
    show: 'model',
    keep: 'ends',
    maxOutputBytes: keptOutput,
    timeoutMs,
    signal,
    ...(cwd === undefined ? {} : { cwd: resolve(options.cwd, cwd) }),
    ...(stdin === undefined ? {} : { input: stdin }),
    ...(progress === undefined ? {} : { onOutput: progress }),
  });
  const structured = factsOf(result);
  refused.add(structured.refusals);
  return { text: textOf(structured, timeoutMs), structured };
}

function factsOf({
  exitCode,
  ending,
  stdout,
  stderr,
  truncated,
  refusals: refused,
  quarantined,
  findings,
}: CommandResult): InferOutput<typeof output> {
  const hidden = describeFindings(findings);
  return {
    exitCode,
    ending,
    stdout: stdout.toString(),
    stderr: stderr.toString(),
    leftOut: truncated,
    refusals: refused.map(refusalFacts),
    quarantined: quarantined.map(({ path, movedTo, reason }) => ({
      path: escapePath(path),
      movedTo: escapePath(movedTo),
      reason,
    })),
    ...(hidden === '' ? {} : { hidden }),
  };
}

function textOf(
  { exitCode, ending, stdout, stderr, refusals: refused, quarantined, hidden }: InferOutput<typeof output>,
  timeoutMs: number,
): string {
  const lines = [
    stdout.trimEnd(),
    stderr.trimEnd() === '' ? '' : `[stderr]\n${stderr.trimEnd()}`,
    ending === 'timed-out'
      ? `[the time limit ended it; timeoutMs was ${timeoutMs}]`
      : exitCode === 0
        ? ''
        : `[exit code ${exitCode}]`,
    ...refused.map((each) => `[${refusalText(each)}]`),
    ...quarantined.map(({ path, movedTo, reason }) => `[moved ${path} to ${movedTo}, because ${reason}]`),
    hidden === undefined ? '' : `[the output has hidden characters: ${hidden}]`,
  ].filter((line) => line !== '');
  return lines.length === 0 ? '[no output]' : lines.join('\n');
}

/** `holdfast tool`: runs one tool by its manifest and the policy. */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { HoldfastError, isHoldfastError } from '../../errors/index.ts';
import { openTool } from '../../tools/session/open-tool.ts';
import { openSession } from '../../session/session.ts';
import { present } from '../../text/present.ts';
import type { ToolRecord, ToolResult } from '../../tools/index.ts';
import { boxOptions } from '../box-options.ts';
import { boxOptionsUsage } from '../run-usage.ts';
import { type Command, type CommandInput, isSet, jsonLine, safeText, optionText } from '../command.ts';
import { unknownAction, usageError } from '../usage-error.ts';
import { profiledSession } from '../profile-options.ts';

const usage = `usage: holdfast tool run [OPTIONS] MANIFEST

Runs a JavaScript, TypeScript or WebAssembly tool in a box without network, files or variables. The tool gets only the
grants that both its manifest and the policy contain. Exits with 1 if the tool failed or reached a limit, and with 125
if its manifest, its module or the policy is invalid.

  --input TEXT        the input of the tool (default: none)
  --input-file PATH   read the input from a file; - for stdin
  --keep-hidden       keep invisible characters and escape sequences
  --json              print one JSON object: output, log, refusals
${boxOptionsUsage}`;

export const toolCommand: Command = {
  name: 'tool',
  usage,
  options: {
    ...boxOptions,
    input: { type: 'string' },
    'input-file': { type: 'string' },
    'keep-hidden': { type: 'boolean' },
    json: { type: 'boolean' },
  },
  positionals: 'any',
  run: runTool,
};

const exits = { ok: 0, failed: 1 } as const;

async function runTool(input: CommandInput): Promise<number> {
  const [action, manifest, ...more] = input.positionals;
  if (action !== 'run') throw unknownAction('tool', ['run'], action ?? '');
  if (manifest === undefined || more.length > 0) throw usageError('tool', 'tool run needs one manifest');
  const given = inputOf(input);
  const session = await openSession(profiledSession(input));
  try {
    await using tool = await openTool(session, resolve(input.io.cwd, manifest));
    print(await tool.call(given), input);
    return exits.ok;
  } catch (error) {
    if (!isHoldfastError(error) || !['HF_TOOL_FAILED', 'HF_TOOL_LIMIT'].includes(error.code)) throw error;
    const { log = [], dropped = 0, refusals = [] } = error.details as Partial<ToolRecord>;
    printRecord({ log, dropped, refusals }, input);
    input.io.stderr.write(
      `${safeText(`holdfast: ${error.message}\nholdfast: to fix it: ${error.remedy} [${error.code}]`)}\n`,
    );
    return exits.failed;
  } finally {
    session.approvals.close();
    await session.network.close();
  }
}

function inputOf({ values, io }: CommandInput): string | Buffer {
  const file = optionText(values['input-file']);
  if (file === undefined) return optionText(values['input']) ?? '';
  if (optionText(values['input']) !== undefined) throw usageError('tool', '--input and --input-file were both given');
  try {
    return readFileSync(file === '-' ? 0 : resolve(io.cwd, file));
  } catch (error) {
    throw new HoldfastError(
      'HF_USAGE',
      `the input ${JSON.stringify(file)} cannot be read (${(error as NodeJS.ErrnoException).code ?? ''})`,
      { remedy: 'name a file that you can read' },
    );
  }
}

function print({ output, ...record }: ToolResult, input: CommandInput): void {
  const {
    values,
    io: { stdout },
  } = input;
  const shown = isSet(values['keep-hidden']) ? output.toString() : present('tool-result', output.toString()).text;
  if (isSet(values['json'])) return void stdout.write(jsonLine({ output: shown, ...record }));
  printRecord(record, input);
  stdout.write(shown === '' || shown.endsWith('\n') ? shown : `${shown}\n`);
}

function printRecord({ log, dropped, refusals }: ToolRecord, { io: { stderr } }: CommandInput): void {
  for (const { level, text: line } of log) stderr.write(`${safeText(`${level}: ${line.replaceAll('\n', ' ')}`)}\n`);
  if (dropped > 0) stderr.write(`holdfast: ${dropped} more lines of its log were dropped\n`);
  for (const refusal of refusals) stderr.write(`${safeText(`holdfast: refused: ${refusal}`)}\n`);
}

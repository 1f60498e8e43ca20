import { homedir } from 'node:os';
import { resolve } from 'node:path';
import { HoldfastError } from '../errors/index.ts';
import { byProgram, describeRequest, place } from '../place/refusals/describe.ts';
import type { Explanation } from '../policy/command/explain-command.ts';
import type { PolicyRequest } from '../policy/request.ts';
import type { Decision } from '../policy/verdict.ts';
import type { SignTone } from '../text/signs.ts';
import { classLine, explainCommandLine } from '../sandbox/explain-command.ts';
import type { LineClass } from '../shell/class/class-of.ts';
import { explainRequest, openWhy, type Why } from '../sandbox/why.ts';
import { boxOptions } from './box-options.ts';
import { type Command, type CommandInput, isSet, jsonText, safeText, optionText, optionTexts } from './command.ts';
import { type Look, lookOf, signed } from './terminal/look.ts';
import { profiledSession } from './profile-options.ts';

const usage = `usage: holdfast why [--json] [--last N]
       holdfast why --path PATH [--access read|write] | --host HOST[:PORT] | --env NAME | --socket PATH [--json]
       holdfast why --command 'TEXT FOR THE SHELL' [--json] | [--json] -- COMMAND [ARGUMENT...]

Without a question: lists the last refusals of this repository, each with its rule, the place of that rule, and the
policy line or flag that would allow it. With a question: shows the decision of the policy, and the grant for it.
Agents can ask inside the box, too.

It also takes --workspace and the grants of \`holdfast run\`, such as --read, --write, --preset and --profile.`;

export const whyCommand: Command = {
  name: 'why',
  inBox: 'works',
  usage,
  options: {
    ...boxOptions,
    path: { type: 'string', multiple: true },
    access: { type: 'string' },
    command: { type: 'string' },
    last: { type: 'string' },
    json: { type: 'boolean' },
  },
  positionals: 'none',
  run: answer,
};

async function answer(input: CommandInput): Promise<number> {
  const { values } = input;
  if (values['access'] !== undefined && values['path'] === undefined)
    throw new HoldfastError('HF_USAGE', '--access needs --path', { remedy: 'write --path PATH --access read' });
  const asked = { ...values, host: undefined, env: undefined, socket: undefined };
  const why = openWhy(profiledSession({ ...input, values: asked }));
  const requests = questions(input);
  return requests.length > 0 ? answerQuestions(why, requests, input) : listRefusals(why, input);
}

/** Returns the requests of the options and of the words after `--`. */
export function questions({ values, io, rest }: CommandInput): readonly PolicyRequest[] {
  const operations =
    optionText(values['access']) === undefined
      ? (['read', 'write'] as const)
      : [accessOf(optionText(values['access']))];
  const words = rest !== undefined && rest.length > 0 ? rest : wordsOf(optionText(values['command']));
  return [
    ...optionTexts(values['path']).flatMap((path) =>
      operations.map((operation): PolicyRequest => ({ kind: 'file', operation, path: absolutePath(path, io.cwd) })),
    ),
    ...optionTexts(values['host']).map(connectRequest),
    ...optionTexts(values['env']).map((name): PolicyRequest => ({ kind: 'env', name })),
    ...optionTexts(values['socket']).map(
      (address): PolicyRequest => ({
        kind: 'socket',
        operation: 'connect',
        address: address.startsWith('@') ? address : absolutePath(address, io.cwd),
      }),
    ),
    ...(words === undefined
      ? []
      : [{ kind: 'exec', program: words[0] ?? '', argv: words, context: 'direct' } satisfies PolicyRequest]),
  ];
}

/** Expands `~`: a shell leaves it in `--path=~/x`. */
function absolutePath(path: string, cwd: string): string {
  return path === '~' || path.startsWith('~/') ? resolve(homedir(), path.slice(2)) : resolve(cwd, path);
}

function wordsOf(command: string | undefined): readonly string[] | undefined {
  const words = command?.split(/\s+/u).filter((word) => word !== '');
  if (words?.length === 0)
    throw new HoldfastError('HF_USAGE', 'the command has no words', {
      remedy: 'use --command "git push", or write it after `--`',
    });
  return words;
}

function accessOf(value: string | undefined): 'read' | 'write' {
  if (value === 'read' || value === 'write') return value;
  throw new HoldfastError('HF_USAGE', `expected read or write, got ${JSON.stringify(value)}`, {
    remedy: 'use --access read or --access write',
  });
}

const httpsPort = 443;
const largestPort = 65_535;

/** `HOST`, `HOST:PORT`, `[ADDRESS]:PORT`, or a bare IPv6 address, whose colons are part of it. */
function connectRequest(value: string): PolicyRequest {
  const groups = /^(?:\[(?<address>[^\]]*)\]|(?<host>[^:]*))(?::(?<port>\d+))?$/u.exec(value)?.groups;
  const port = Number(groups?.['port'] ?? httpsPort);
  if (value === '' || port < 1 || port > largestPort)
    throw new HoldfastError('HF_USAGE', `expected a host, got ${JSON.stringify(value)}`, {
      remedy: 'use --host example.com or --host example.com:443',
    });
  return { kind: 'connect', host: groups?.['address'] ?? groups?.['host'] ?? value, port, protocol: 'tcp' };
}

function answerQuestions(why: Why, requests: readonly PolicyRequest[], input: CommandInput): number {
  const { values, io } = input;
  const answers = requests.map((request) => answerTo(why, request, input));
  io.stdout.write(
    isSet(values['json'])
      ? jsonText(answers.map(({ answer }) => answer))
      : answers.map((answer) => answerText(answer, lookOf(io))).join(''),
  );
  return 0;
}

interface Answered {
  readonly answer: { readonly request: PolicyRequest; readonly explanation: Explanation; readonly class?: LineClass };
  /** For a command: its class, and the part that determines it. */
  readonly said?: string;
}

/** A command is decided with all that it would start. The answer names the part that decides. */
function answerTo(why: Why, request: PolicyRequest, { values, rest, io }: CommandInput): Answered {
  if (request.kind !== 'exec') return { answer: { request, explanation: explainRequest(why, request) } };
  const words = rest !== undefined && rest.length > 0 ? rest : [optionText(values['command']) ?? ''];
  const explained = explainCommandLine(why, { words, cwd: io.cwd });
  const { class: found, verdict } = explained.explanation;
  const { decisive } = verdict;
  const asked = explainRequest(why, decisive?.kind === 'invocation' ? decisive.request : request);
  const explanation = decisive === undefined ? asked : { ...asked, verdict: decisive.verdict };
  return { answer: { request, explanation, class: found }, said: classLine(explained) };
}

const tonesOf: Readonly<Record<Decision, SignTone>> = {
  allow: 'allowed',
  deny: 'refused',
  ask: 'waiting',
  stage: 'staged',
  audit: 'plain',
  redirect: 'plain',
};

function answerText({ answer: { request, explanation }, said }: Answered, look: Look): string {
  const { verdict } = explanation;
  const remedy = verdict.decision === 'allow' ? '' : `  ${verdict.remedy}\n`;
  const line = said === undefined ? '' : `  class: ${said}\n`;
  return `${signed(verdict.decision, tonesOf[verdict.decision], look)} ${describeRequest(request)}\n  ${verdict.message} (${verdict.rule}, ${verdict.layer} layer, ${place(verdict)})\n${line}${remedy}`;
}

/** The terminal is the command's own, so its output is not read. */
function noRefusals({ workspace }: Why): string {
  return `No refusals yet in ${safeText(workspace)}. Run a command: holdfast run -- COMMAND\nHoldfast does not read the output of a command on a terminal. Ask with --path, or run the command with 2>&1 | cat\n`;
}

const defaultLast = 10;

function listRefusals(why: Why, { values, io }: CommandInput): number {
  const last = Number(optionText(values['last']) ?? defaultLast);
  if (!Number.isInteger(last) || last < 1)
    throw new HoldfastError('HF_USAGE', `expected a number from 1, got ${JSON.stringify(optionText(values['last']))}`, {
      remedy: 'use --last 10',
    });
  const refusals = why.refusals.slice(0, last);
  if (isSet(values['json'])) io.stdout.write(jsonText({ where: why.where, workspace: why.workspace, refusals }));
  else if (refusals.length === 0)
    io.stdout.write(
      why.where === 'inside' ? 'ask with --path, --host, --command, --env or --socket\n' : noRefusals(why),
    );
  for (const { time, request, verdict, program } of isSet(values['json']) ? [] : refusals) {
    io.stdout.write(signed(safeText(time), 'refused', lookOf(io)));
    io.stdout.write(
      safeText(
        ` ${describeRequest(request)}${byProgram(program)}\n  ${verdict.message} (${verdict.rule}, ${place(verdict)})\n  ${verdict.remedy}\n`,
      ),
    );
  }
  return 0;
}

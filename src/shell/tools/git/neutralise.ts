import { parseArguments } from '../parse-arguments.ts';
import type { ParsedArguments, ToolSpec } from '../types.ts';
import { staticWord } from '../words.ts';
import { isHarmlessKey } from './keys.ts';
import { neutralCommands, type NeutralCommand } from './neutral-commands.ts';

/** A reading git command in a form in which the repository's configuration runs as little as git allows. */
export interface NeutralGit {
  readonly argv: readonly string[];
  /** Variables to set as well: git has no option that means the same in every release. */
  readonly environment: Readonly<Record<string, string>>;
  /**
   * The programs that the repository can still run. `filters`: the command looks at files of the working tree. Git
   * passes a file with a changed time through the clean filter that `.gitattributes` names. No option turns filters
   * off.
   */
  readonly leaves: readonly 'filters'[];
}

/**
 * Returns the neutral form of a git command line. Undefined if it changes something, talks to other hosts, is not
 * understood, or asks for a feature that the form removes. `argv[0]` is the program.
 */
export function neutralGit(argv: readonly string[]): NeutralGit | undefined {
  const [program, ...words] = argv;
  const start = endOfGlobals(words);
  const found = commandAt(words, start);
  if (program === undefined || found === undefined) return undefined;
  const { command, name, given } = found;
  const parsed = parseArguments(
    command.spec,
    given.map((word) => staticWord(word)),
  );
  if (!isHarmless(parsed) || !command.reads(parsed)) return undefined;
  return {
    argv: [program, ...words.slice(0, start), ...neutralGlobals, ...name, ...command.adds, ...given],
    environment: neutralEnvironment,
    leaves: command.leaves(parsed),
  };
}

/** Whether a command line already has the neutral form, and nothing is left that could run. */
export function isNeutralGit(argv: readonly string[]): boolean {
  const start = argv.findIndex((_, place) => neutralGlobals.every((word, at) => argv[place + at] === word));
  if (start === -1) return false;
  const behind = start + neutralGlobals.length;
  const found = commandAt(argv, behind);
  if (found === undefined) return false;
  const given = found.given.slice(found.command.adds.length);
  const neutral = neutralGit([...argv.slice(0, start), ...found.name, ...given]);
  return (
    neutral?.leaves.length === 0 &&
    neutral.argv.length === argv.length &&
    neutral.argv.every((word, place) => argv[place] === word)
  );
}

/**
 * Each takes away one thing that `.git/config` can name: the file-system monitor, hooks, the pager, signature programs,
 * or merge drivers of `--remerge-diff`. Differences within submodules go too, because git runs itself there without our
 * options. So does every transport, because a partial clone fetches missing objects. `--no-optional-locks` keeps
 * `status` from writing the index.
 */
export const neutralGlobals: readonly string[] = [
  '--no-pager',
  '--no-optional-locks',
  ...[
    'core.fsmonitor=false',
    'core.hooksPath=/dev/null',
    'core.pager=cat',
    'core.sshCommand=false',
    'core.gitProxy=false',
    'core.askPass=false',
    'core.alternateRefsCommand=false',
    'credential.helper=',
    'diff.external=',
    'diff.submodule=short',
    'status.submoduleSummary=false',
    'log.showSignature=false',
    'log.diffMerges=separate',
    'gpg.program=false',
    'gpg.openpgp.program=false',
    'gpg.x509.program=false',
    'gpg.ssh.program=false',
    'protocol.allow=never',
    ...['ext', 'file', 'ssh', 'git', 'http', 'https', 'ftp', 'ftps', 'fd'].map(
      (scheme) => `protocol.${scheme}.allow=never`,
    ),
  ].flatMap((setting) => ['-c', setting]),
];

/** An empty list of protocols blocks helpers of any name. Git knows the other variable from 2.45 on. */
export const neutralEnvironment: Readonly<Record<string, string>> = {
  GIT_ALLOW_PROTOCOL: '',
  GIT_NO_LAZY_FETCH: '1',
  GIT_TERMINAL_PROMPT: '0',
};

interface Found {
  readonly name: readonly string[];
  readonly command: NeutralCommand;
  readonly given: readonly string[];
}

function commandAt(words: readonly string[], start: number): Found | undefined {
  for (const length of [2, 1]) {
    const name = words.slice(start, start + length);
    const command = neutralCommands.get(name.join(' '));
    if (name.length === length && command !== undefined) return { name, command, given: words.slice(start + length) };
  }
  return undefined;
}

const globalFlags = new Set([
  '--no-pager',
  '-P',
  '--no-optional-locks',
  '--literal-pathspecs',
  '--glob-pathspecs',
  '--noglob-pathspecs',
  '--icase-pathspecs',
  '--no-replace-objects',
]);

/** Finds the subcommand after harmless options. Stops at anything else, which is not a subcommand. */
function endOfGlobals(words: readonly string[]): number {
  let at = 0;
  for (;;) {
    const word = words[at] ?? '';
    const value = words[at + 1] ?? '';
    if (globalFlags.has(word)) at += 1;
    else if (word === '-C' || (word === '-c' && isHarmlessKey(value))) at += 2;
    else return at;
  }
}

function isHarmless(parsed: ParsedArguments): boolean {
  return parsed.unknown.length === 0 && parsed.options.every(({ spec }) => isReading(spec));
}

const isReading = (option: ToolSpec['options'][number]): boolean =>
  option.effect === undefined && ['text', 'read', undefined].includes(option.role);

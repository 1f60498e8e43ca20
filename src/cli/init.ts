import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import process from 'node:process';
import { createInterface } from 'node:readline/promises';
import { createTwoFilesPatch, FILE_HEADERS_ONLY } from 'diff';
import { shellQuote } from '../agents/hooks/quote.ts';
import { agentSettings } from '../agents/init/agent-settings.ts';
import {
  type InitOptions,
  makeInstall,
  makeUndo,
  planInstall,
  planUndo,
  type SettingsChange,
} from '../agents/init/plan-change.ts';
import { HoldfastError } from '../errors/index.ts';
import { findInstallation, type Installation } from '../place/host/installation.ts';
import { statePaths } from '../place/host/state-paths.ts';
import { findWorkspace } from '../place/host/workspace.ts';
import { withheldPlace } from '../place/withheld-place.ts';
import { hiddenSurfaceNames } from '../trust/surfaces/hidden-surface-names.ts';
import { type Command, type CommandInput, isSet, printResult, safeText } from './command.ts';
import { namedAgent } from './hook.ts';

const usage = `usage: holdfast init claude|codex|gemini|opencode [--workspace | --user] [--dry-run | --yes] [--undo] [--json]

Adds Holdfast to the settings of an agent. From then on the commands of the agent run in the box, the policy decides
about its own access to files and hosts, and results are filtered. The command shows every change first and asks.
Running it twice changes nothing more.

  --workspace         change the settings of this repository (default for claude and opencode)
  --user              change your own settings, for every repository (default for codex and gemini, which read the
                      settings of a repository only where you trust it)
  --dry-run           only show the change
  --yes               do not ask
  --undo              restore the old settings; in a file that has changed since, remove only the part of Holdfast
  --json              with --dry-run or --yes: print the file, the result and the change as one JSON object`;

export const hookNotes: Readonly<Record<InitOptions['agent'], string>> = {
  claude: '',
  codex:
    'Codex runs hooks that you have looked at: open `/hooks` in it and trust them. Until then its commands run outside of the box, and with --workspace also wherever you do not trust the repository.\n',
  gemini:
    'Gemini CLI runs hooks only where you trust the folder. Elsewhere its commands run outside of the box, and with --workspace also where it is started with `--skip-trust`.\n',
  opencode: 'Tools of MCP servers are refused in OpenCode, whose names of them say nothing.\n',
};

export const initCommand: Command = {
  name: 'init',
  usage,
  options: {
    workspace: { type: 'boolean' },
    user: { type: 'boolean' },
    'dry-run': { type: 'boolean' },
    yes: { type: 'boolean' },
    undo: { type: 'boolean' },
    json: { type: 'boolean' },
  },
  positionals: 'any',
  run: init,
};

async function init(input: CommandInput): Promise<number> {
  const { values, io } = input;
  const json = isSet(values['json']);
  if (json && !isSet(values['dry-run']) && !isSet(values['yes']))
    throw new HoldfastError('HF_USAGE', '--json cannot ask for confirmation', { remedy: 'add --dry-run or --yes' });
  const options = optionsOf(input);
  const undoing = isSet(values['undo']);
  const change = undoing ? planUndo(options) : planInstall(options);
  if (change.before === change.after) {
    if (undoing && !isSet(values['dry-run'])) makeUndo(change);
    printResult(input, resultOf(change, 'unchanged'), `${change.file}: nothing to change\n`);
    return 0;
  }
  if (!json) io.stdout.write(safeText(diffOf(change)));
  if (undoing && change.since === 'changed')
    io.stderr.write(safeText(`holdfast: ${change.file} has changed since: only Holdfast's part is taken out\n`));
  if (isSet(values['dry-run']) || !(await isAgreed(input))) {
    if (json) printResult(input, resultOf(change, 'shown'), '');
    return 0;
  }
  (undoing ? makeUndo : makeInstall)(change);
  const notesAfter = undoing ? '' : `${hookNotes[options.agent]}${withheldNote(change, options)}`;
  printResult(
    input,
    resultOf(change, undoing ? 'put-back' : 'written'),
    `${change.file}: ${undoing ? 'put back' : 'written'}\n${notesAfter}`,
  );
  return 0;
}

function resultOf(change: SettingsChange, outcome: 'unchanged' | 'shown' | 'written' | 'put-back'): object {
  return { file: change.file, outcome, diff: outcome === 'unchanged' ? '' : diffOf(change) };
}

function optionsOf(input: CommandInput): InitOptions {
  const { values, io } = input;
  if (isSet(values['user']) && isSet(values['workspace']))
    throw new HoldfastError('HF_USAGE', '--user and --workspace cannot be combined', { remedy: 'use one of them' });
  const [home, agent] = [homedir(), namedAgent(input)];
  const scope = isSet(values['user']) ? 'user' : isSet(values['workspace']) ? 'workspace' : agentSettings[agent].scope;
  const workspace = scope === 'user' ? io.cwd : findWorkspace({ cwd: io.cwd, home }).root;
  return {
    agent,
    scope,
    home,
    workspace,
    environment: io.environment,
    program: hookProgram(),
    state: statePaths(home, io.environment).state,
  };
}

export function diffOf({ file, before, after }: SettingsChange): string {
  return createTwoFilesPatch(
    before === undefined ? '/dev/null' : file,
    after === undefined ? '/dev/null' : file,
    before ?? '',
    after ?? '',
    '',
    '',
    { context: 3, headerOptions: FILE_HEADERS_ONLY },
  );
}

export async function isAgreed({ values, io }: CommandInput): Promise<boolean> {
  if (isSet(values['yes'])) return true;
  if (!process.stdin.isTTY)
    throw new HoldfastError('HF_USAGE', 'there is no terminal to confirm at; nothing was changed', {
      remedy: 'read the change with --dry-run, then add --yes',
    });
  const answer = await answerAtTerminal('write it? [y/N] ');
  if (/^y(?:es)?$/iu.test(answer.trim())) return true;
  io.stdout.write('nothing was changed\n');
  return false;
}

/** The end of the input, or of the command, does not count as consent. */
export async function answerAtTerminal(question: string): Promise<string> {
  const asker = createInterface({ input: process.stdin, output: process.stdout });
  try {
    return await asker.question(question);
  } catch (error) {
    if (!(error instanceof Error) || error.name !== 'AbortError') throw error;
    process.stdout.write('\n');
    return '';
  } finally {
    asker.close();
  }
}

/**
 * Returns the program for an agent's settings. It is small, asks the server of `holdfast serve`, and starts Node if
 * none answers. It keeps the time too, because Codex and Gemini CLI run the tool of a late hook. Throws
 * `HF_LAUNCHER_MISSING` if a clone has not built it.
 */
export function hookProgram(
  { launcher, root }: Pick<Installation, 'launcher' | 'root'> = findInstallation(),
): readonly string[] {
  const small = join(dirname(launcher), 'holdfast-hook');
  if (!existsSync(small))
    throw new HoldfastError('HF_LAUNCHER_MISSING', `${small} does not exist`, {
      remedy: `run \`make -C ${join(root, 'native')}\`, which needs a C compiler`,
    });
  return [small, process.execPath, resolve(process.argv[1] ?? '')];
}

/** A file in a repository counts as the repository's, no matter who wrote it. Empty if boxes have the file anyway. */
function withheldNote(
  { file }: Pick<SettingsChange, 'file'>,
  { scope, workspace }: Pick<InitOptions, 'scope' | 'workspace'>,
): string {
  const path = relative(workspace, file);
  if (scope === 'user' || path.startsWith('../') || withheldPlace(hiddenSurfaceNames(), path) === undefined) return '';
  return `Boxes do not have this file, nor does an agent that runs in one, until you say yes to it:\n  holdfast trust add ${shellQuote(path)}\n`;
}

import { homedir } from 'node:os';
import { join } from 'node:path';
import { findWorkspace } from '../../place/host/workspace.ts';
import { statePaths } from '../../place/host/state-paths.ts';
import { createWorktree, listWorktrees } from '../../worktree/create.ts';
import { handBack } from '../../worktree/hand-back.ts';
import { removeWorktree } from '../../worktree/remove.ts';
import { type Command, type CommandInput, isSet, jsonText, safeText, optionText } from '../command.ts';
import { namedAction, usageError } from '../usage-error.ts';

const usage = `usage: holdfast worktree create [--branch NAME] [--json]
       holdfast worktree [list] [--json]
       holdfast worktree hand-back ID [--patch] [--json]
       holdfast worktree remove ID [--discard] [--json]

create:    creates a branch at the last commit of this repository, in a new directory that other users cannot enter.
list:      lists the worktrees of all repositories, oldest first.
hand-back: commits uncommitted changes to the branch, and shows the changes of a merge. It merges nothing.
remove:    removes the directory, and the branch if it has no commits. --discard drops uncommitted changes.

A worktree keeps changes apart. It is not a sandbox: a program in it has all your rights. These commands run no hook,
filter or other program that the repository names. --workspace DIR selects another repository.`;

export const worktreeCommand: Command = {
  name: 'worktree',
  usage,
  options: {
    workspace: { type: 'string' },
    branch: { type: 'string' },
    patch: { type: 'boolean' },
    discard: { type: 'boolean' },
    json: { type: 'boolean' },
  },
  positionals: 'any',
  alone: 'list',
  async run(input) {
    const [name = '', ...words] = input.positionals;
    const action = namedAction('worktree', actions, name);
    if (words.length !== action.words)
      throw usageError('worktree', `worktree ${name} ${action.words === 0 ? 'takes no argument' : 'needs one ID'}`);
    const directory = join(statePaths(homedir(), input.io.environment).state, 'worktrees');
    input.io.stdout.write(action.run({ input, directory, id: words[0] ?? '' }));
    return 0;
  },
};

interface Given {
  readonly input: CommandInput;
  readonly directory: string;
  readonly id: string;
}

interface Action {
  readonly words: 0 | 1;
  /** Returns the text to print. */
  readonly run: (given: Given) => string;
}

const actions: ReadonlyMap<string, Action> = new Map<string, Action>([
  ['create', { words: 0, run: create }],
  ['list', { words: 0, run: list }],
  ['hand-back', { words: 1, run: giveBack }],
  ['remove', { words: 1, run: remove }],
]);

function create({ input: { values, io }, directory }: Given): string {
  const named = optionText(values['workspace']);
  const { root } = findWorkspace({
    cwd: named ?? io.cwd,
    home: homedir(),
    ...(named === undefined ? {} : { root: named }),
  });
  const branch = optionText(values['branch']);
  const made = createWorktree({ workspace: root, directory, ...(branch === undefined ? {} : { branch }) });
  return isSet(values['json']) ? jsonText(made) : safeText(`${made.id} on ${made.branch}\n${made.path}\n`);
}

function list({ input: { values }, directory }: Given): string {
  const all = listWorktrees(directory);
  if (isSet(values['json'])) return jsonText(all);
  if (all.length === 0) return 'No worktrees yet. Make one: holdfast worktree create\n';
  const lines = all.map(
    ({ id, condition, branch, repository, path }) =>
      `${id}  ${condition.padEnd(10)}  ${branch} of ${repository}\n  ${path}\n`,
  );
  return safeText(lines.join(''));
}

function giveBack({ input: { values }, directory, id }: Given): string {
  const { patch, ...back } = handBack(directory, id);
  if (isSet(values['json']))
    return jsonText({ ...back, ...(isSet(values['patch']) ? { patch: patch.toString('utf8') } : {}) });
  const left = back.leftOut.map((path) => `left out: ${path}, a repository of its own\n`).join('');
  if (back.tip === back.base) return safeText(`nothing has changed\n${left}`);
  return safeText(
    `${isSet(values['patch']) ? patch.toString('utf8') : back.summary}${left}to take it over: git merge ${back.branch}\n`,
  );
}

function remove({ input: { values }, directory, id }: Given): string {
  const { branch } = removeWorktree({ directory, id, uncommitted: isSet(values['discard']) ? 'discard' : 'keep' });
  return isSet(values['json'])
    ? jsonText({ removed: id, branch })
    : safeText(`removed ${id}; the branch ${branch} stays if it has commits of its own\n`);
}

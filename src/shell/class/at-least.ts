import { canonicalArguments } from '../tools/canonical-arguments.ts';
import { plainText, wordAsTyped } from '../tools/words.ts';
import type { AnalysedInvocation } from '../types.ts';
import type { CommandClass } from './command-class.ts';

/** An effect of a tool that no path and no host shows. Without a condition, it always applies. */
interface AtLeastRow {
  readonly tools: string;
  readonly class: CommandClass;
  readonly why: string;
  /** Any of these options, in any spelling. */
  readonly options?: string;
  /** Any matching operand. */
  readonly operand?: RegExp;
  /** Any matching word, including options. */
  readonly word?: RegExp;
  /** At least this many operands. */
  readonly operands?: number;
  /** Also one of these options. */
  readonly with?: string;
  /** Also at least this many operands. */
  readonly from?: number;
  /** None of these options. */
  readonly unless?: string;
  /** Only with a file, a text or a pipe as its input. */
  readonly input?: 'given';
  /** Not with such a first word. */
  readonly unlessFirst?: RegExp;
}

/** Pathspecs of git that stand for everything here, or in the repository. */
const wholeTree = /^(?:\.\/?|:\/?|:\(top\)|\*)$/u;

const rows: readonly AtLeastRow[] = [
  {
    tools: 'git push',
    options: '-f,--force,--force-with-lease,--force-if-includes,-d,--delete,--mirror,--prune',
    operand: /^[+:]/u,
    class: 'destroys',
    why: 'may discard commits of another repository',
  },
  {
    tools: 'git reset',
    options: '--hard,--merge,--keep',
    class: 'destroys',
    why: 'discards changes that no commit holds',
  },
  {
    tools: 'git checkout,git switch',
    options: '-f,--force,--discard-changes',
    class: 'destroys',
    why: 'discards changes that no commit holds',
  },
  {
    tools: 'git checkout,git restore',
    operand: wholeTree,
    unless: '-b,-B,--orphan,-S,--staged',
    class: 'destroys',
    why: 'discards changes that no commit holds',
  },
  {
    tools: 'git restore',
    options: '-W,--worktree',
    class: 'destroys',
    why: 'discards changes that no commit holds',
  },
  {
    tools: 'psql,mysql,mariadb',
    word: /\b(?:drop\s+(?:database|schema|table|owned)|truncate)\b/iu,
    class: 'destroys',
    why: 'deletes tables for good',
  },
  {
    tools: 'git clean',
    options: '-f,--force',
    unless: '-n,--dry-run',
    class: 'destroys',
    why: 'deletes files that no commit holds',
  },
  {
    tools: 'git stash drop,git reflog expire,git prune',
    class: 'destroys',
    why: 'discards commits that no branch holds',
  },
  { tools: 'git filter-branch', class: 'anything', why: 'runs code over the whole history' },
  { tools: 'git difftool,git mergetool', class: 'anything', why: 'runs the program that a setting names' },
  {
    tools: 'tar',
    options: '--checkpoint-action,--to-command,-I,--use-compress-program',
    class: 'anything',
    why: 'runs a program for each archive or file',
  },
  { tools: 'printf', word: /^-v/u, class: 'anything', why: 'sets a variable, which may select a program' },
  { tools: 'man', options: '-H,--html,-P,--pager', class: 'anything', why: 'runs a browser or a pager' },
  { tools: 'history', options: '-c,-d', class: 'writes the workspace', why: 'forgets commands' },
  { tools: 'git fsck', options: '--lost-found', class: 'writes the workspace', why: 'writes found objects into .git' },
  { tools: 'ruff check,ruff format', unless: '-n,--no-cache', class: 'writes the workspace', why: 'keeps a cache' },
  { tools: 'ruff rule', word: /^clean$/u, class: 'writes the workspace', why: 'deletes caches' },
  // Attack: a repository with a `.venv/bin/python` of its own.
  {
    tools: 'uv pip list,uv pip freeze,uv pip show,uv pip check,uv pip tree,uv python find,poetry show,poetry env',
    class: 'anything',
    why: 'runs the Python of .venv',
  },
  { tools: 'uv tree', class: 'reaches out', why: 'asks the registry where no lock says enough' },
  {
    tools: 'helm template',
    word: /^(?!\.{1,2}\/)(?:[\w.-]+\/[\w.-]+$|oci:|https?:)/u,
    class: 'reaches out',
    why: 'fetches a chart that is not here',
  },
  // Proved on Debian 12: with a secret key, `gpg -K` starts gpg-agent, and `gpg -k` does not.
  {
    tools: 'gpg',
    options: '-K,--list-secret-keys',
    class: 'leaves the session behind',
    why: 'starts gpg-agent, which goes on',
  },
  { tools: 'ssh', options: '-f', class: 'leaves the session behind', why: 'goes to the background' },
  { tools: 'wget', options: '-b,--background', class: 'leaves the session behind', why: 'goes to the background' },
  { tools: 'strace,ltrace', options: '-p,--attach', class: 'changes the machine', why: 'stops another process' },
  {
    tools: 'taskset,chrt',
    options: '-p,--pid',
    from: 2,
    class: 'changes the machine',
    why: 'changes a process',
  },
  {
    tools: 'ionice',
    options: '-p,--pid,-P,--pgid,-u,--uid',
    with: '-c,--class,-n,--classdata',
    class: 'changes the machine',
    why: 'changes a process',
  },
  {
    tools: 'rsync',
    operand: /^[^/]*:/u,
    with: '--delete,--del,--delete-before,--delete-during,--delete-delay,--delete-after,--delete-excluded',
    unless: '-n,--dry-run,--list-only',
    class: 'destroys',
    why: 'deletes what only one of two machines has',
  },
  { tools: 'userdel', options: '-r,--remove', class: 'destroys', why: 'deletes a home directory' },
  {
    tools: 'curl',
    options: '--unix-socket,--abstract-unix-socket',
    with: '-X,--request,-d,--data,--data-binary,--data-raw,--data-ascii,--data-urlencode,--json,-F,--form,-T,--upload-file',
    class: 'changes the machine',
    why: 'commands a service of this machine',
  },
  { tools: 'ssh', operands: 2, class: 'anything', why: 'runs a command on another machine' },
  { tools: 'ssh,sftp', input: 'given', class: 'anything', why: 'runs its input, there or by `!` here' },
  { tools: 'git gc', word: /^--prune=(?!2\.weeks)/u, class: 'destroys', why: 'discards commits that no branch holds' },
  { tools: 'shred', class: 'destroys', why: 'writes over files, so that nobody gets them back' },
  { tools: 'kill', unlessFirst: /^-[0lL]$/u, class: 'changes the machine', why: 'signals other processes' },
  { tools: 'pkill,killall', class: 'changes the machine', why: 'signals other processes' },
  { tools: 'mknod', class: 'changes the machine', why: 'makes a device' },
  {
    tools: 'ssh-add',
    unless: '-l,-L',
    class: 'changes the machine',
    why: 'hands keys to the agent, or takes them away',
  },
  { tools: 'chown,chgrp', class: 'writes the workspace', why: 'changes the owner of files' },
  {
    tools: 'nohup,setsid,disown',
    unlessFirst: /^--(?:help|version)$/u,
    class: 'leaves the session behind',
    why: 'lets a program go on when the session ends',
  },
  // The rows of `at-most.ts` bound these programs otherwise.
  { tools: 'debugfs', word: /^(?:-\w*f|(?:-\w*R)?\s*!)/u, class: 'anything', why: 'runs commands' },
  { tools: 'mdadm', word: /^--(?:prog|alert)/u, class: 'anything', why: 'runs a program at events' },
  { tools: 'dmsetup', word: /^--exec/u, class: 'anything', why: 'runs a program for each device' },
  { tools: 'iptables,ip6tables,iptables-save', word: /^(?:-\w*M|--mod)/u, class: 'anything', why: 'runs a program' },
  { tools: 'modprobe', word: /^(?:-\w*C|--config)/u, class: 'anything', why: 'runs commands that the settings name' },
  { tools: 'tc', word: /^(?:e|ex|exe|exec)$/u, class: 'anything', why: 'runs a program' },
  { tools: 'nmcli', word: /^--$/u, class: 'anything', why: 'runs a program within a checkpoint' },
  { tools: 'cryptsetup', word: /^--external/u, class: 'anything', why: 'loads libraries' },
  { tools: 'lvm', word: /^--(?:config|\w*profile)/u, class: 'anything', why: 'has settings that name programs' },
  { tools: 'mount', word: /fuse/u, class: 'anything', why: 'runs the program that serves the files' },
  { tools: 'service', word: /\//u, class: 'anything', why: 'runs a script by its path' },
  { tools: 'rsync', options: '--rsync-path', class: 'anything', why: 'runs a program on another machine' },
  { tools: 'dnf info', word: /^(?:undo|redo|rollback)$/u, class: 'changes the machine', why: 'changes packages' },
  { tools: 'docker search,podman search', class: 'reaches out', why: 'asks a registry' },
];

const conditions = ['options', 'operand', 'operands', 'word'] as const;

const byTool = new Map<string, AtLeastRow[]>();
for (const row of rows) for (const tool of row.tools.split(',')) byTool.set(tool, [...(byTool.get(tool) ?? []), row]);

/** Returns the table's effects of a command. */
export function atLeastRows({
  argv,
  stdin,
  tool,
}: Pick<AnalysedInvocation, 'argv' | 'stdin' | 'tool'>): readonly AtLeastRow[] {
  const [program, ...words] = argv;
  const found = byTool.get(tool ?? plainText(program) ?? '') ?? [];
  if (found.length === 0 || program === undefined) return found;
  const { options, operands } = canonicalArguments(wordAsTyped(program), words.map(wordAsTyped));
  const names = new Set(options.flatMap((option) => option.names));
  const has = (list: string | undefined) => list?.split(',').some((name) => names.has(name)) === true;
  return found.filter(
    (row) =>
      !has(row.unless) &&
      (row.with === undefined || has(row.with)) &&
      operands.length >= (row.from ?? 0) &&
      (row.input === undefined || stdin.kind !== 'inherited') &&
      (words[0] === undefined || row.unlessFirst?.test(wordAsTyped(words[0])) !== true) &&
      (conditions.every((condition) => row[condition] === undefined) ||
        words.some((word) => row.word?.test(wordAsTyped(word)) === true) ||
        operands.length >= (row.operands ?? Number.POSITIVE_INFINITY) ||
        has(row.options) ||
        (row.operand !== undefined && operands.some((operand) => row.operand?.test(operand)))),
  );
}

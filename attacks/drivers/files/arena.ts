import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import process from 'node:process';
import { loadAttack } from '../../runner/catalogue.ts';
import { unpackAttack } from '../../runner/unpack.ts';

/** The scene of one attack with rows, without the attack runner: for races that outlast an attack's limit. */
export interface FilesArena {
  readonly root: string;
  readonly workspace: string;
  readonly rows: string;
  readonly canary: string;
  readonly tools: string;
  readonly environment: Readonly<Record<string, string>>;
  /** The rows that have succeeded, or changed anything outside, so far. */
  succeeded(): readonly string[];
  [Symbol.dispose](): void;
}

const attacks = resolve(import.meta.dirname, '../..');
const canary = 'hfcanaryofarace';

/** Below `base`, which a box does not replace as it replaces `/tmp`. */
export function filesArena(attack: string, base: string): FilesArena {
  run('make', ['-s', '-C', join(attacks, 'programs')], process.env);
  const root = mkdtempSync(join(base, 'holdfast-race-'));
  const [workspace, tools, scripts] = ['ws', 'tools', 'scripts'].map((name) => join(root, name)) as [
    string,
    string,
    string,
  ];
  for (const directory of [workspace, join(root, 'outside'), join(root, 'notes'), join(root, 'home')])
    mkdirSync(directory);
  unpackAttack(loadAttack(attacks, attack), scripts);
  writeFileSync(join(root, 'home/.gitconfig'), '[user]\n\tname = A\n\temail = a@example.invalid\n');
  // In the workspace, so that a box also has it.
  cpSync(join(attacks, 'programs/build'), join(workspace, 'tools'), { recursive: true });
  cpSync(join(attacks, 'programs/build'), tools, { recursive: true });
  cpSync(join(scripts, 'rows.tsv'), join(workspace, 'rows.tsv'));
  const environment = {
    PATH: '/usr/local/bin:/usr/bin:/bin',
    LANG: 'C.UTF-8',
    HOME: join(root, 'home'),
    ARENA: root,
    CANARY: canary,
    TOOLS: join(workspace, 'tools'),
  };
  run('sh', [join(scripts, 'setup.sh')], { ...environment, TOOLS: tools });
  return {
    root,
    workspace,
    tools,
    canary,
    environment,
    rows: join(workspace, 'rows.tsv'),
    succeeded: () => {
      run('sh', [join(scripts, 'verify.sh')], { ...environment, TOOLS: tools });
      return readFileSync(join(root, 'notes/rows'), 'utf8')
        .split('\n')
        .filter((row) => row !== '');
    },
    [Symbol.dispose]: () => rmSync(root, { recursive: true, force: true }),
  };
}

function run(program: string, argv: readonly string[], env: NodeJS.ProcessEnv): void {
  const { status, stderr, error } = spawnSync(program, argv, { env, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${program} ${argv.join(' ')}: ${error?.message ?? stderr}`);
}

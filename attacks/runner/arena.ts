import { randomBytes, randomInt } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs';
import { join, resolve } from 'node:path';
import process from 'node:process';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { textOf, type Attack, type UserName } from './attack.ts';
import { baseDirectory } from './base-directory.ts';
import { layOutRepository, repositoryFile, scenarioScripts } from './repository.ts';
import { unpackAttack } from './unpack.ts';

/**
 * The scratch directory of one performance. `ws` is the workspace, `home` the home, and `outside` must stay out of
 * reach. The host's side of an attack records its observations in `notes`.
 */
export interface Arena {
  readonly root: string;
  readonly workspace: string;
  readonly home: string;
  /** The attack's scripts and the tools for the host, out of the box's reach. */
  readonly scripts: string;
  readonly tools: string;
  /** The part of them that the box gets, inside the workspace. */
  readonly kit: string;
  /** A text that is nowhere else. */
  readonly canary: string;
  /** Undefined: the runner's own. */
  readonly uid: number | undefined;
}

const gitConfiguration =
  '[user]\n\tname = A\n\temail = a@example.invalid\n[init]\n\tdefaultBranch = main\n[advice]\n\tdetachedHead = false\n';

/** The shared files of network attacks, in the box. */
const worldKit = resolve(import.meta.dirname, '../world/kit');

/** A separate id for each performance, so that it shares its files and its signals with no other. */
const lowestId = 61_000;
const idRange = 4000;
let nextId = randomInt(idRange);

export function makeArena(attack: Attack, user: UserName, toolsDirectory: string): Arena {
  const root = mkdtempSync(join(baseDirectory(), 'holdfast-attack-'));
  const workspace = join(root, 'ws');
  const arena: Arena = {
    root,
    workspace,
    home: join(root, 'home'),
    scripts: join(root, 'scripts'),
    tools: join(root, 'tools'),
    kit: join(workspace, '.attack'),
    canary: `hf${randomBytes(8).toString('hex')}`,
    uid: idFor(user),
  };
  for (const directory of [workspace, arena.home, join(root, 'outside'), join(root, 'notes'), arena.kit])
    mkdirSync(directory, { mode: 0o755 });
  mkdirSync(join(root, 'run'), { mode: 0o700 });
  chmodSync(root, 0o755);
  writeFileSync(join(arena.home, '.gitconfig'), gitConfiguration);
  writeFileSync(join(root, 'log'), '');
  const archive = textOf(attack, repositoryFile);
  if (archive !== undefined) {
    cpSync(scenarioScripts, arena.scripts, { recursive: true });
    layOutRepository(archive, workspace, { ARENA: root, CANARY: arena.canary });
  }
  unpackAttack(attack, arena.scripts);
  cpSync(toolsDirectory, arena.tools, { recursive: true });
  cpSync(toolsDirectory, join(arena.kit, 'tools'), { recursive: true });
  writePolicy(attack, arena);
  for (const script of ['attack.sh', 'attack.py', 'attack2.sh', 'rows.tsv'])
    if (existsSync(join(arena.scripts, script))) cpSync(join(arena.scripts, script), join(arena.kit, script));
  if (attack.world !== undefined || archive !== undefined) cpSync(worldKit, arena.kit, { recursive: true });
  if (arena.uid !== undefined) giveTo(root, arena.uid);
  return arena;
}

/** The user's policy, if the attack has one. */
function writePolicy(attack: Attack, { home, root, canary }: Arena): void {
  const policy = textOf(attack, 'policy.toml');
  if (policy === undefined) return;
  mkdirSync(join(home, '.config/holdfast'), { recursive: true });
  writeFileSync(
    join(home, '.config/holdfast/policy.toml'),
    policy.replaceAll('$ARENA', root).replaceAll('$CANARY', canary),
  );
}

function idFor(user: UserName): number | undefined {
  if (user === 'root' || process.getuid?.() !== 0) return undefined;
  nextId = (nextId + 1) % idRange;
  return lowestId + nextId;
}

function giveTo(root: string, uid: number): void {
  chownSync(root, uid, uid);
  for (const entry of readdirSync(root, { recursive: true, encoding: 'utf8' })) chownSync(join(root, entry), uid, uid);
}

/** Removes the mounts of a control run before any deletion, because a deletion must not reach through a mount. */
export async function removeArena({ root }: Arena): Promise<void> {
  for (const target of mountsBelow(root, readFileSync('/proc/self/mountinfo', 'utf8')).toReversed()) {
    spawnSync('umount', ['-l', target]);
  }
  if (mountsBelow(root, readFileSync('/proc/self/mountinfo', 'utf8')).length > 0) return;
  // Node cannot remove paths longer than PATH_MAX. Other trials continue meanwhile.
  await once(spawn('rm', ['-rf', '--one-file-system', root], { stdio: 'ignore' }), 'exit');
}

/** Mount points at or below a directory, in the order of /proc/PID/mountinfo, parents first. */
export function mountsBelow(root: string, mountinfo: string): readonly string[] {
  const targets = mountinfo.split('\n').flatMap((line) => line.split(' ')[4] ?? []);
  return targets.filter((target) => target === root || target.startsWith(`${root}/`));
}

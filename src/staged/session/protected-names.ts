import { closeSync, constants, fstatSync, lstatSync, openSync, readFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { sameButHarmless } from '../../aftermath/quarantine/git-config.ts';
import { judgeAppeared } from '../../aftermath/quarantine/judge.ts';
import { readPlace } from '../../place/place.ts';
import { policyOfPlace } from '../../place/planner.ts';
import { decide } from '../../policy/decide.ts';
import type { Policy } from '../../policy/policy.ts';
import type { Judge, JudgedName } from '../changes/judge.ts';
import type { StagedLayer } from '../types.ts';
import { isPlainInLayer, repositoryRefusal } from './repositories.ts';

/** Returns the judge of a layer, by the current policy of its workspace. Grants of the layer's own command count. */
export function judgeOfLayer(layer: StagedLayer, environment: Readonly<Record<string, string | undefined>>): Judge {
  const roots = layer.roots.map(({ root }) => root);
  const place = readPlace({ cwd: layer.workspace, workspace: layer.workspace, grants: { write: roots }, environment });
  const { gitDirectories } = place.workspace;
  return judgeByPolicy(policyOfPlace(place), {
    roots,
    gitDirectories,
    isPlain: (path) => isPlainInLayer(layer, path),
    layer,
  });
}

/** Real paths. */
interface JudgedPlaces {
  readonly roots: readonly string[];
  /** The roots that are git directories, under any name. */
  readonly gitDirectories: readonly string[];
  readonly isPlain: (path: string) => boolean;
  readonly layer: StagedLayer;
}

/** Refuses names that the policy denies, except those that git itself makes and that can run nothing. */
function judgeByPolicy(policy: Policy, places: JudgedPlaces): Judge {
  return (name) => {
    const verdict = decide(policy, { kind: 'file', operation: name.operation, path: name.path });
    if (verdict.decision !== 'deny') return repositoryRefusal(name, places);
    const harmless =
      verdict.code === 'protected-path' && name.staged?.((entry) => isHarmless(name, { entry, places })) === true;
    return harmless ? undefined : { rule: verdict.rule, reason: verdict.message };
  };
}

function isHarmless(
  { path, operation }: JudgedName,
  { entry, places }: { readonly entry: Buffer; readonly places: JudgedPlaces },
): boolean {
  if (isSampleHook(path, entry)) return true;
  if (operation === 'write') return isConfig(path) && sameSettings(path, entry);
  return judgeAppeared({ path: Buffer.from(path), pinned: entry, ...places }).kind === 'harmless';
}

/** Git runs no hook of that name. */
function isSampleHook(path: string, entry: Buffer): boolean {
  return basename(dirname(path)) === 'hooks' && path.endsWith('.sample') && lstatSync(entry).isFile();
}

function isConfig(path: string): boolean {
  return basename(path) === 'config' || basename(path) === 'config.worktree';
}

/** `git config user.name`, `git remote add` and `git branch --track` change only harmless settings. */
function sameSettings(path: string, entry: Buffer): boolean {
  const [before, after] = [readSmall(path), readSmall(entry)];
  return before !== undefined && after !== undefined && sameButHarmless(before, after);
}

const largest = 1 << 20;

function readSmall(path: string | Buffer): string | undefined {
  try {
    const file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    try {
      const stats = fstatSync(file);
      return stats.isFile() && stats.size <= largest ? readFileSync(file, 'utf8') : undefined;
    } finally {
      closeSync(file);
    }
  } catch {
    return undefined;
  }
}

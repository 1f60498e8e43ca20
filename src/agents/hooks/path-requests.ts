import { homedir } from 'node:os';
import { dirname, resolve } from 'node:path';
import type { FileOperation, PolicyRequest } from '../../policy/index.ts';
import { checkLength, exists, realPath } from './real-path.ts';

/**
 * Every path that an agent may take such a text for, absolute. Attack: a text that leads out of the workspace in one reading and not in the other:
 * `link/../x`, from which some agents take `..` off and some leave it to the kernel, which goes up from where the link leads; blanks around
 * it, which Claude Code takes off; a name that Claude Code brings into its composed form (NFC).
 *
 * @throws HoldfastError `HF_HOOK_INVALID` for a text that is longer than any path.
 */
export function readingsOf(text: string, directory: string): readonly string[] {
  checkLength(text);
  const texts = [text, text.trim()].flatMap((each) => [each, each.normalize('NFC')]);
  const paths = texts.map((each) => (each.startsWith('/') ? each : `${directory}/${each}`));
  return [...new Set(paths.flatMap((path) => [resolve(path), path.replace(/(?<=[^/])\/+$/u, '')]))];
}

/** As Claude Code and OpenCode read a path of theirs. */
export function homely(text: string): string {
  const path = text.trim();
  return path === '~' || path.startsWith('~/') ? `${homedir()}${path.slice(1)}` : text;
}

export function reads(path: string): readonly PolicyRequest[] {
  return [request('read', path)];
}

export function writes(path: string): readonly PolicyRequest[] {
  return [request(exists(path) ? 'write' : 'create', path)];
}

/** A link itself is removed, not what it leads to. */
export function removes(path: string): readonly PolicyRequest[] {
  return [{ kind: 'file', operation: 'delete', path: resolve(realPath(dirname(path)), path.slice(path.lastIndexOf('/') + 1)) }];
}

/** A tree that holds the home directory shows it too. */
export function searches(directory: string): readonly PolicyRequest[] {
  const home = homedir();
  const real = realPath(directory);
  const above = real === '/' || home.startsWith(`${real}/`);
  return [request('read', directory), ...(above ? [request('read', home)] : [])];
}

/** A link is followed, because the agent will follow it. */
function request(operation: FileOperation, path: string): PolicyRequest {
  return { kind: 'file', operation, path: realPath(path) };
}

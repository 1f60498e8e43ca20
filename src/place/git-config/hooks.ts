import { lstatSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { hookNames } from '../../git-config/keys.ts';
import { readText } from '../host/read-text.ts';

/** A hook with the scripts that it starts, and with its target if it is a symlink. Absolute paths. */
export interface HookFile {
  readonly path: string;
  readonly leads: readonly string[];
}

/** Returns the hooks in a directory. Git ignores files with other names. */
export function hooksIn(directory: string, workTree: string): readonly HookFile[] {
  return hookNames.flatMap((name) => {
    const path = join(directory, name);
    const stats = statsOf(path);
    if (stats === undefined) return [];
    const starts = startedBy(readText(path)).map((word) => resolve(workTree, word));
    return [{ path, leads: stats.isSymbolicLink() ? [path, ...starts] : starts }];
  });
}

function statsOf(path: string) {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

/** `$ROOT/`, `${ROOT}/`, `$(git rev-parse --show-toplevel)/`: likely leads to the work tree, where git starts hooks. */
const variablePrefix = /"?(?:\$\{[^}\s]{1,100}\}|\$\([^)\n]{1,200}\)|\$\w{1,100})"?\//gu;
const commandBreaks = /[\n;&|(){}`]+/u;
const wordBreaks = /[\s"']+/u;
/** Words that may precede the name of a script. */
const before =
  /^(?:-\w*|!|\[.*|\w+=\S*|if|then|else|elif|do|while|exec|source|\.|command|env|time|(?:.*\/)?(?:sh|bash|dash|zsh|node|python[\d.]*|ruby|perl))$/u;
/** A build or an installation replaces these. */
const made = /(?:^|\/)(?:node_modules|\.?venv|vendor|target|build|dist)\//u;
const most = 32;

/** Returns the scripts that a hook starts by a relative path. */
function startedBy(text: string): readonly string[] {
  const commands = text
    .replaceAll(/^[^\S\n\r\u2028\u2029]*#.*$/gmu, '')
    .replaceAll(variablePrefix, './')
    .split(commandBreaks);
  const scripts = commands.flatMap((command) => {
    const script = command.split(wordBreaks).find((word) => word !== '' && !before.test(word));
    return script === undefined || !/^[\w.-]+\/./u.test(script) || made.test(script) ? [] : [script];
  });
  return [...new Set(scripts)].slice(0, most);
}

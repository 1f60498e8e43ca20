import type { PolicyRequest } from '../../policy/index.ts';
import { parsePatch } from '../mcp/patch/parse-patch.ts';
import { textOf } from '../mcp/patch/problems.ts';
import { few, invalidCall } from './failure.ts';
import { readingsOf, removes, writes } from './path-requests.ts';

/**
 * What a patch does to files. Codex and OpenCode know one form, `*** Begin Patch`, and read it within other text, too: what stands around it
 * is refused.
 *
 * @throws HoldfastError `HF_HOOK_INVALID`, `HF_USAGE` for what is no patch.
 */
export function patchRequests(text: string, cwd: string): readonly PolicyRequest[] {
  if (!/^[ \t\r\n]*\*\*\* Begin Patch/u.test(text)) throw invalidCall('a patch does not start with *** Begin Patch');
  refuseBlanks(text);
  const paths = (name: string): readonly string[] => readingsOf(textOf(name), cwd);
  return few(parsePatch(text)).flatMap((change) => {
    switch (change.kind) {
      case 'add':
        return paths(change.path).flatMap(writes);
      case 'delete':
        return paths(change.path).flatMap(removes);
      case 'update':
        return change.moveTo === undefined ? paths(change.path).flatMap(writes) : [...paths(change.path).flatMap(removes), ...paths(change.moveTo).flatMap(writes)];
    }
  });
}

const header = /^\*\*\* (?:(?:Add|Delete|Update) File|Move to): /u;

/** Attack: a link whose name has a blank at its end, which some readers of a patch take off and others do not. U+0085 is one for Codex alone. */
function refuseBlanks(text: string): void {
  for (const line of text.split(/\r?\n/u)) {
    const [start] = header.exec(line) ?? [];
    if (start !== undefined && /^[\s\u0085]|[\s\u0085]$/u.test(line.slice(start.length))) throw invalidCall('a patch names a path with blanks around it');
  }
}

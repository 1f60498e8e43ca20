import { parseEnvelope } from './envelope.ts';
import { invalid, textOf } from './problems.ts';
import type { FileChange } from './types.ts';
import { parseUnified } from './unified.ts';

/**
 * The changes of a patch in either form: a unified diff, or `*** Begin Patch`.
 *
 * @throws HoldfastError `HF_USAGE` for one that is neither, or that changes a file twice.
 */
export function parsePatch(text: string): readonly FileChange[] {
  const bytes = Buffer.from(text.replaceAll('\r\n', '\n')).toString('latin1');
  const changes = /^\s*\*\*\* Begin Patch/u.test(bytes) ? parseEnvelope(bytes) : parseUnified(bytes);
  if (changes.length === 0) throw invalid('it changes nothing');
  const names = changes.flatMap((change) => [change.path, ...(change.kind === 'update' && change.moveTo !== undefined ? [change.moveTo] : [])]);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw invalid(`it names ${textOf(twice)} twice`);
  return changes;
}

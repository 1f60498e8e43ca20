import { visibleName } from '../../staged/diff/visible-text.ts';
import { readTrust } from '../../trust/store/read-trust.ts';
import { type CommandInput, isSet } from '../command.ts';
import { jsonText } from '../json-text.ts';
import { trustPlace } from './workspace-trust.ts';

/** `holdfast trust list`: what was approved. Nothing of the repository is read. */
export function trustListCommand(input: CommandInput): number {
  const { root, paths } = trustPlace(input);
  const { entries } = readTrust(paths, root);
  if (isSet(input.values['json'])) {
    input.io.stdout.write(jsonText({ workspace: root, entries }));
    return 0;
  }
  const lines = entries.map(({ path, sha256, level, approvedAt }) => `${level.padEnd(7)} ${approvedAt.slice(0, 10)} ${sha256.slice(0, 12)} ${visibleName(Buffer.from(path))}\n`);
  input.io.stdout.write(lines.length === 0 ? 'nothing was approved here: see `holdfast trust status`\n' : lines.join(''));
  return 0;
}

import { discardJournalled } from '../staged/session/layer-work.ts';
import { changedNames } from '../staged/session/review-json.ts';
import { type Command, type CommandInput, printResult } from './command.ts';
import { groundOf, namedLayer, tellRecovered } from './staged-layer.ts';

const usage = `usage: holdfast discard [ID] [PATH...] [--json]

Deletes staged changes for good. Without ID it takes the newest layer of this workspace. With PATHs it deletes only the
changes in them. It does not touch the host.`;

export const discardCommand: Command = {
  name: 'discard',
  usage,
  options: { json: { type: 'boolean' } },
  positionals: 'any',
  async run(input) {
    return discard(input);
  },
};

function discard(input: CommandInput): number {
  tellRecovered(input);
  const { layer, paths } = namedLayer(input);
  const { discarded, removed } = discardJournalled(layer, groundOf(input), paths.length === 0 ? undefined : paths);
  const what =
    discarded === undefined
      ? `the layer ${layer.id}`
      : `${discarded.length} ${discarded.length === 1 ? 'change' : 'changes'}${removed ? '; nothing is left in the layer' : ''}`;
  printResult(
    input,
    { layer: layer.id, discarded: discarded?.map(changedNames) ?? 'everything', removed },
    `discarded ${what}\n`,
  );
  return 0;
}

import { homedir } from 'node:os';
import { HoldfastError } from '../errors/index.ts';
import { findWorkspace } from '../place/host/workspace.ts';
import { undoJournalled } from '../staged/session/layer-work.ts';
import { type Command, type CommandInput, printResult, safeText } from './command.ts';
import { groundOf, tellRecovered, withSteps } from './staged-layer.ts';

const usage = `usage: holdfast undo [ID] [--json]

Reverts the last accept of this workspace, or of the layer ID: the host gets its old files back, and the changes are
staged again. You can undo the last ten accepts of a workspace, as long as they keep less than 1 GB.`;

export const undoCommand: Command = {
  name: 'undo',
  usage,
  options: { json: { type: 'boolean' } },
  positionals: 'any',
  async run(input) {
    return undo(input);
  },
};

function undo(input: CommandInput): number {
  const { io, positionals } = input;
  const [id] = positionals;
  if (positionals.length > 1)
    throw new HoldfastError('HF_USAGE', `expected one layer, got ${JSON.stringify(positionals.join(' '))}`, {
      remedy: 'see `holdfast undo --help`',
    });
  tellRecovered(input);
  const workspace = findWorkspace({ cwd: io.cwd, home: homedir() }).root;
  const { record, conflicts } = withSteps(input, 'taking back', (pace) =>
    undoJournalled(groundOf(input), { workspace, pace, ...(id === undefined ? {} : { layer: id }) }),
  );
  const { layer, entries } = record;
  printResult(
    input,
    { layer, entries, conflicts, ...(conflicts.length === 0 ? {} : { kept: record.directory }) },
    `undone: ${entries} ${entries === 1 ? 'entry is' : 'entries are'} as before the accept, and staged again: holdfast review ${layer}\n`,
  );
  for (const path of conflicts)
    io.stderr.write(
      `${safeText(`holdfast: left unchanged, because another process just changed it: ${JSON.stringify(path)}; its earlier content is in ${record.directory}`)}\n`,
    );
  return conflicts.length === 0 ? 0 : 1;
}

import { HoldfastError } from '../errors/index.ts';
import { acceptByPolicy } from '../staged/session/accept-by-policy.ts';
import { changedNames } from '../staged/session/review-json.ts';
import { changeKey, type StagedLeftOut } from '../staged/apply/select.ts';
import { type Command, type CommandInput, isSet, printResult, safeText } from './command.ts';
import { groundOf, namedLayer, tellRecovered, withSteps } from './staged-layer.ts';

const usage = `usage: holdfast accept [ID] [PATH...] [--all] [--overwrite] [--json]

Applies staged changes to the host. Without ID it takes the newest layer of this workspace. With PATHs it takes only
the changes in them. It accepts every requested change or none. \`holdfast undo\` reverts an accept.

  --all        accept every change that can be accepted; leave protected names and conflicts staged, and then exit with 1
  --overwrite  also replace files that are newer on the host
  --json       print the layer, the accepted changes, the skipped changes with reasons, the number still staged, and the notices`;

export const acceptCommand: Command = {
  name: 'accept',
  usage,
  options: { all: { type: 'boolean' }, overwrite: { type: 'boolean' }, json: { type: 'boolean' } },
  positionals: 'any',
  async run(input) {
    return accept(input);
  },
};

function accept(input: CommandInput): number {
  const { io, values } = input;
  tellRecovered(input);
  const { layer, paths } = namedLayer(input);
  const { accepted, leftOut, left, noticed } = withSteps(input, 'accepting', (pace) =>
    acceptByPolicy(layer, groundOf(input), {
      pace,
      otherwise: isSet(values['all']) ? 'rest' : 'nothing',
      conflicts: isSet(values['overwrite']) ? 'overwrite' : 'leave',
      ...(paths.length === 0 ? {} : { paths }),
    }),
  );
  if (accepted.length === 0 && leftOut.length > 0)
    throw new HoldfastError('HF_STAGED_CONFLICT', `none of the ${leftOut.length} changes can be accepted`, {
      remedy: 'see `holdfast review` for the reasons',
    });
  const json = {
    layer: layer.id,
    accepted: accepted.map(changedNames),
    leftOut: leftOut.map((each) => ({ ...changedNames(each.change), reason: reasonOf(each) })),
    left,
    noticed,
  };
  printResult(
    input,
    json,
    `accepted ${count(accepted.length)}${left === 0 ? '' : `; ${count(left)} still staged in ${layer.id}`}${accepted.length === 0 ? '' : '; `holdfast undo` reverts it'}\n`,
  );
  for (const line of noticed) io.stderr.write(`${safeText(`holdfast: ${line}`)}\n`);
  for (const each of leftOut) io.stderr.write(`${safeText(`holdfast: left staged: ${describe(each)}`)}\n`);
  return leftOut.length === 0 ? 0 : 1;
}

function describe(each: StagedLeftOut): string {
  const path = Buffer.from(changeKey(each.change, each.change.path), 'latin1').toString();
  return `${JSON.stringify(path)}: ${reasonOf(each)}`;
}

function reasonOf({ change, reason }: StagedLeftOut): string {
  const because = {
    refused: change.refusal?.reason,
    conflict: change.conflict?.reason,
    parent: 'it depends on a change that is left out',
  }[reason];
  return because ?? reason;
}

function count(changes: number): string {
  return `${changes} ${changes === 1 ? 'change' : 'changes'}`;
}

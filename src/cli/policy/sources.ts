import { basename, resolve } from 'node:path';
import { HoldfastError } from '../../errors/index.ts';
import { readPlace, type Place, type SessionOptions } from '../../sandbox/place.ts';
import { projectFile, readText, type PolicyText } from '../../sandbox/policy-texts.ts';
import { sessionOptions } from '../box-options.ts';
import type { CommandInput } from '../command.ts';

/** The policy files that a subcommand is about: the one that was named, or all that hold here. */
export function policySources(input: CommandInput, file: string | undefined): readonly PolicyText[] {
  return file === undefined ? placeOf(input).sources : [namedSource(resolve(input.io.cwd, file))];
}

export function placeOf(input: CommandInput): Place {
  return readPlace(placeOptions(input));
}

/** Options that grant something to `run` ask about it here: only the workspace is taken over. */
export function placeOptions(input: CommandInput): SessionOptions {
  return sessionOptions({ ...input, values: { workspace: input.values['workspace'] } });
}

function namedSource(path: string): PolicyText {
  const source = readText(basename(path) === projectFile ? 'project' : 'user', path);
  if (source !== undefined) return source;
  throw new HoldfastError('HF_POLICY_UNREADABLE', `there is no file ${path}`, { remedy: 'name an existing policy file, or write one with `holdfast policy init`' });
}

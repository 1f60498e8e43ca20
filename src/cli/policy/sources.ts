import { basename, resolve } from 'node:path';
import { HoldfastError } from '../../errors/index.ts';
import { isLookedInto, llmOf, looksInto, modelServerOf, type Policy, tlsTreatment } from '../../policy/index.ts';
import { usualRules } from '../../llm/session/content-rules.ts';
import { readPlace, type Place } from '../../place/place.ts';
import type { SessionOptions } from '../../session/session-options.ts';
import { projectFile, readText, type PolicyText } from '../../place/policy-texts.ts';
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
  throw new HoldfastError('HF_POLICY_UNREADABLE', `there is no file ${path}`, {
    remedy: 'name an existing policy file, or write one with `holdfast policy init`',
  });
}

/** What becomes of calls of language models, as pairs of a word and its value. None where no box could make one. */
export function modelLines(policy: Policy): readonly (readonly [string, string])[] {
  if (!looksInto(policy)) return [];
  const { gateway, output, log, builtinDlp } = llmOf(policy);
  const kept =
    log.texts === 'not-kept'
      ? 'what is said is not kept'
      : `what is said is kept for ${log.keep} ms, at most ${log.most} bytes`;
  const models =
    gateway === 'off'
      ? 'not looked into'
      : `looked into, answers ${output === 'filter' ? 'filtered' : 'as they are'}, ${kept}`;
  const builtin = usualRules.map(({ decision, finds }) => `${decision} ${finds.join(', ')}`).join('; ');
  return [
    ['models', models],
    ...(builtinDlp === 'in-force' && gateway === 'on'
      ? [['dlp', `built-in: ${builtin} to servers of models`] as const]
      : []),
  ];
}

/** One line about a host to which requests may go; empty where nobody looks into them. */
export function lookedIntoText(policy: Policy, destination: { readonly host: string; readonly port: number }): string {
  if (!isLookedInto(policy, destination) || tlsTreatment(policy, destination) === 'passthrough') return '';
  const server = modelServerOf(policy, destination);
  return server === undefined
    ? '  requests are looked into by [[dlp]] rules\n'
    : `  requests are looked into as those to models of the provider "${server.provider}", in the style "${server.style}"\n`;
}

import { basename, resolve } from 'node:path';
import { HoldfastError } from '../../errors/index.ts';
import { usualRules } from '../../llm/session/content-rules.ts';
import { type Place, readPlace } from '../../place/place.ts';
import { type PolicyText, projectFile, readPolicyText } from '../../place/policy-texts.ts';
import { describeRequest, place } from '../../place/refusals/describe.ts';
import type { Explanation, TraceStep } from '../../policy/command/explain-command.ts';
import { llmOf } from '../../policy/llm/llm-of.ts';
import { isLookedInto, looksInto, modelServerOf } from '../../policy/llm/looked-into.ts';
import type { Policy } from '../../policy/policy.ts';
import type { PolicyRequest } from '../../policy/request.ts';
import { tlsTreatment } from '../../policy/settings/tls-treatment.ts';
import { wayText } from '../../policy/words/verdict-of.ts';
import {
  classLine,
  commandTree,
  decisionText,
  explainCommandLine,
  type ExplainedCommand,
} from '../../sandbox/explain-command.ts';
import { explainRequest, openWhy, type Why } from '../../sandbox/why.ts';
import type { SessionOptions } from '../../session/session-options.ts';
import { type CommandInput, isSet, jsonText, safeText, optionTexts } from '../command.ts';
import { questions } from '../why.ts';
import { profiledSession } from '../profile-options.ts';

interface Explained {
  readonly request: PolicyRequest;
  readonly explanation: Explanation;
}

/** `holdfast policy explain`: each layer's answer to a request, and everything needed to allow it. */
export function explainPolicy(input: CommandInput): number {
  const { rest, values } = input;
  if (rest !== undefined && rest.length > 0) return explainCommandWords(input, rest);
  if (isSet(values['why-not']))
    throw new HoldfastError('HF_USAGE', '--why-not needs a command', {
      remedy: "write it after `--`: holdfast policy explain --why-not -- 'git push'",
    });
  const requests = requestsOf(input);
  if (requests.length === 0)
    throw new HoldfastError('HF_USAGE', 'there is no question to answer', {
      remedy:
        'use --path PATH [--write], --host HOST[:PORT], --env NAME, --socket PATH, --registry KEY [--write], or -- COMMAND',
    });
  const why = openWhy(placeOptions(input));
  const explained = requests.map((request) => ({ request, explanation: explainRequest(why, request) }));
  input.io.stdout.write(
    isSet(values['json']) ? jsonText(explained) : safeText(explained.map((one) => explainedText(one, why)).join('\n')),
  );
  return 0;
}

/** With `--write`, asks about writing paths, otherwise about reading them. */
function requestsOf(input: CommandInput): readonly PolicyRequest[] {
  const operation = isSet(input.values['write']) ? 'write' : 'read';
  return [
    ...questions({ ...input, values: { ...input.values, access: operation } }),
    ...optionTexts(input.values['registry']).map((key): PolicyRequest => ({ kind: 'registry', operation, key })),
  ];
}

function explainedText({ request, explanation }: Explained, { policy }: Why): string {
  const { verdict, trace, wouldAllow } = explanation;
  const ways = wouldAllow.map((way) => `  ${wayText(way)}\n`).join('');
  const looked = request.kind === 'connect' && verdict.decision !== 'deny' ? lookedIntoText(policy, request) : '';
  return `${verdict.decision} ${describeRequest(request)}\n${trace.map(stepText).join('')}${looked}${ways === '' ? '' : `to allow it\n${ways}`}`;
}

function stepText(step: TraceStep): string {
  const layer = `  ${step.layer.padEnd(9)}`;
  if (step.kind === 'abstains') return `${layer}abstains (${step.file})\n`;
  const { verdict, because } = step;
  return `${layer}${verdict.decision}: ${because} (${verdict.rule}, ${place(verdict)})\n`;
}

/**
 * `holdfast policy explain -- COMMAND`: the effects of a command line, the decision, and the rules against it. Runs
 * nothing.
 */
function explainCommandWords(input: CommandInput, words: readonly string[]): number {
  const { io, values } = input;
  const explained = explainCommandLine(openWhy(placeOptions(input)), { words, cwd: io.cwd });
  if (isSet(values['json'])) io.stdout.write(jsonText(jsonOf(explained)));
  else
    io.stdout.write(
      safeText(
        isSet(values['why-not'])
          ? obstaclesText(explained)
          : `${headline(explained)}class: ${classLine(explained)}\n${commandTree(explained)}${commandWayText(explained)}`,
      ),
    );
  return 0;
}

function headline({ explanation: { commands, verdict } }: ExplainedCommand): string {
  return commands === 'open'
    ? 'allowed: no policy has rules about commands, so Holdfast checks no command line\n'
    : `${decisionText(verdict)}\n`;
}

function commandWayText(explained: ExplainedCommand): string {
  return explained.explanation.obstacles.length === 0 ? '' : `obstacles\n${obstaclesText(explained)}`;
}

function obstaclesText({ explanation: { obstacles } }: ExplainedCommand): string {
  if (obstacles.length === 0) return 'no known obstacles\n';
  return obstacles.map(({ message, ways }) => `  ${message}\n${ways.map((way) => `    ${way}\n`).join('')}`).join('');
}

function jsonOf({ analysis, explanation }: ExplainedCommand): unknown {
  const { verdict, ...others } = explanation;
  const { decision, message, remedy, parts } = verdict;
  return { decision, message, remedy, ...others, parts, analysis };
}

/** Returns the policy files of a subcommand: the named one, or all that apply here. */
export function policySources(input: CommandInput, file: string | undefined): readonly PolicyText[] {
  return file === undefined ? commandPlace(input).sources : [namedSource(resolve(input.io.cwd, file))];
}

export function commandPlace(input: CommandInput): Place {
  return readPlace(placeOptions(input));
}

/** Options that grant something to `run` are questions here, so only the workspace is used. */
function placeOptions(input: CommandInput): SessionOptions {
  return profiledSession({ ...input, values: { workspace: input.values['workspace'] } });
}

function namedSource(path: string): PolicyText {
  const source = readPolicyText(basename(path) === projectFile ? 'project' : 'user', path);
  if (source !== undefined) return source;
  throw new HoldfastError('HF_POLICY_UNREADABLE', `${path} does not exist`, {
    remedy: 'name an existing policy file, or write one with `holdfast policy init`',
  });
}

/**
 * Returns the settings for calls of language models, as pairs of a word and its value. Empty if no box could make a
 * call.
 */
export function modelLines(policy: Policy): readonly (readonly [string, string])[] {
  if (!looksInto(policy)) return [];
  const { gateway, output, log, builtinDlp } = llmOf(policy);
  const kept =
    log.texts === 'not-kept'
      ? 'conversations are not kept'
      : `conversations are kept for ${log.keep} ms, at most ${log.most} bytes`;
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

/** Returns one line about the inspection of requests to a host. Empty if nothing inspects them. */
export function lookedIntoText(policy: Policy, destination: { readonly host: string; readonly port: number }): string {
  if (!isLookedInto(policy, destination) || tlsTreatment(policy, destination) === 'passthrough') return '';
  const server = modelServerOf(policy, destination);
  return server === undefined
    ? '  requests are looked into by [[dlp]] rules\n'
    : `  requests are looked into as those to models of the provider "${server.provider}", in the style "${server.style}"\n`;
}

import { HoldfastError } from '../../errors/index.ts';
import { loadsCode } from '../../shell/loads-code.ts';
import { isGuardedVariable } from '../builtin/guarded-variables.ts';
import { answerOfLayer } from '../decide.ts';
import type { Layer } from '../layers/layer.ts';
import { type Answer, builtinFile } from '../origin.ts';
import type { Policy } from '../policy.ts';
import type { EnvRequest } from '../request.ts';
import { looksSecret } from './secret-shapes.ts';

/** A policy's rules for the variables of one host, as data that can be kept and reused. */
export interface EnvironmentRules {
  /** Every name that the rules cover, sorted. A new name needs new rules. */
  readonly known: readonly string[];
  /** Names that stay outside, sorted, with the reason. */
  readonly refused: Readonly<Record<string, DropReason>>;
  /** Names that a person has written out, so they may hold a secret. */
  readonly named: Readonly<Record<string, NamedBy & { readonly secret: SecretBy }>>;
  /** Variables that the policy itself sets. */
  readonly set: Readonly<Record<string, string>>;
}

/**
 * - `not-passed` — the policy does not let it pass.
 * - `loads-code` — programs run the code that it names; only `environment.set` can give it a value.
 * - `secret-name`, `secret-value` — it looks like a secret, and nobody has written its name out.
 * - `name` — no program could read a variable of that name.
 */
export type DropReason = 'not-passed' | 'loads-code' | 'secret-name' | 'secret-value' | 'name';

/** `name`: the name looks like a secret's. `value`: only the value may look like one. */
export type SecretBy = 'name' | 'value';

export interface NamedBy {
  readonly rule: string;
  /** The policy file, or `command line`. */
  readonly file: string;
  /** Line from 1; 0 for a built-in rule. */
  readonly line: number;
}

export interface BoxEnvironment {
  readonly environment: Readonly<Record<string, string>>;
  /** Variables of the host that stay outside, sorted by name. */
  readonly dropped: readonly { readonly name: string; readonly reason: DropReason }[];
  /** Variables that look like secrets but pass because someone has written their names out. */
  readonly acknowledged: readonly ({ readonly name: string } & NamedBy)[];
  /** Directories removed from `PATH`: empty and relative ones, which depend on the working directory. */
  readonly untrustedPath: readonly string[];
}

/**
 * Returns the environment of a box, however it is started: the host's variables that the rules pass, the policy's own,
 * and then `added`. Throws `HF_ENVIRONMENT_INVALID` for invalid names, and for more than a program can take.
 */
export function buildEnvironment(
  rules: EnvironmentRules,
  host: Readonly<Record<string, string | undefined>>,
  added: Readonly<Record<string, string>> = {},
): BoxEnvironment {
  const dropped: { readonly name: string; readonly reason: DropReason }[] = [];
  const acknowledged: ({ readonly name: string } & NamedBy)[] = [];
  // A record without a prototype: a variable may be called `__proto__`.
  const environment = Object.create(null) as Record<string, string>;
  for (const [name, value] of Object.entries(host)) {
    if (value === undefined) continue;
    const reason = reasonToDrop(rules, name, value);
    if (reason !== undefined) dropped.push({ name, reason });
    else {
      environment[name] = value;
      const by = lookUp(rules.named, name);
      const isOwn = !Object.hasOwn(rules.set, name) && !Object.hasOwn(added, name);
      if (by !== undefined && isOwn && (by.secret === 'name' || looksSecret(value)))
        acknowledged.push({ name, rule: by.rule, file: by.file, line: by.line });
    }
  }
  const given = Object.assign(environment, rules.set, added);
  checkLimits(given);
  const untrustedPath = cleanPath(given);
  return { environment: given, dropped: dropped.sort(byName), acknowledged: acknowledged.sort(byName), untrustedPath };
}

function reasonToDrop({ refused, named, set }: EnvironmentRules, name: string, value: string): DropReason | undefined {
  if (!validName.test(name)) return 'name';
  const reason = lookUp(refused, name);
  if (reason !== undefined) return reason;
  return looksSecret(value) && !Object.hasOwn(named, name) && !Object.hasOwn(set, name) ? 'secret-value' : undefined;
}

/** POSIX, "Environment Variables": names that the shells of the box can use. */
const validName = /^[A-Za-z_][A-Za-z0-9_]*$/;

/** A variable may have the name of a property that every object inherits. */
function lookUp<Value>(record: Readonly<Record<string, Value>>, name: string): Value | undefined {
  return Object.hasOwn(record, name) ? record[name] : undefined;
}

function byName(a: { readonly name: string }, b: { readonly name: string }): number {
  return a.name < b.name ? -1 : 1;
}

const mostVariables = 2000;
/** Longest string that Linux accepts, including its NUL: 128 KiB. Source: MAX_ARG_STRLEN, binfmts.h. */
const mostOfOne = 128 * 1024;
const mostOfAll = 1024 * 1024;

function checkLimits(environment: Readonly<Record<string, string>>): void {
  const entries = Object.entries(environment);
  if (entries.length > mostVariables)
    throw invalid(`the box would get ${entries.length} variables, more than ${mostVariables}`, 'pass fewer of them');
  let all = 0;
  for (const [name, value] of entries) {
    if (!validName.test(name))
      throw invalid(
        `${JSON.stringify(name)} is not a valid variable name`,
        'use letters, digits and underscores',
        name,
      );
    if (value.includes('\0')) throw invalid(`the value of ${name} holds a NUL character`, 'leave it out', name);
    const bytes = bytesOf(name) + bytesOf(value) + 2;
    if (bytes > mostOfOne)
      throw invalid(
        `${name} has ${bytes} bytes, more than ${mostOfOne}`,
        'write it into a file and pass the path of that',
        name,
      );
    all += bytes;
  }
  if (all > mostOfAll)
    throw invalid(`the variables of the box have ${all} bytes, more than ${mostOfAll}`, 'pass fewer or shorter ones');
}

const encoder = new TextEncoder();

function bytesOf(text: string): number {
  return encoder.encode(text).length;
}

function invalid(message: string, remedy: string, variable?: string): HoldfastError {
  return new HoldfastError('HF_ENVIRONMENT_INVALID', message, {
    remedy,
    ...(variable === undefined ? {} : { details: { variable } }),
  });
}

const usualPath = '/usr/local/bin:/usr/bin:/bin';

/** Removes entries that resolve to the working directory. Attack: a `git` in the repository. */
function cleanPath(environment: Record<string, string>): readonly string[] {
  const { PATH: path } = environment;
  if (path === undefined) return [];
  const directories = path.split(':');
  const untrusted = directories.filter((directory) => !directory.startsWith('/'));
  if (untrusted.length > 0)
    environment['PATH'] = directories.filter((directory) => directory.startsWith('/')).join(':') || usualPath;
  return untrusted;
}

/** Returns the host's environment for the box: variables that every layer passes, and those that layers set. */
export function environmentOf(policy: Policy, host: Readonly<Record<string, string | undefined>>): BoxEnvironment {
  return buildEnvironment(environmentRules(policy, Object.keys(host)), host);
}

/** Returns a policy's rules for variables of these names. */
export function environmentRules(policy: Policy, names: readonly string[]): EnvironmentRules {
  const refused: Record<string, DropReason> = record();
  const named: Record<string, EnvironmentRules['named'][string]> = record();
  for (const name of names.toSorted()) {
    if (!passes(policy, { kind: 'env', name })) refused[name] = reasonFor(name);
    else {
      const by = namedBy(policy, name);
      if (by !== undefined) named[name] = { ...by, secret: isGuardedVariable(name) ? 'name' : 'value' };
    }
  }
  return {
    known: names.toSorted(),
    refused,
    named,
    set: Object.assign(record<string>(), Object.fromEntries(setVariables(policy))),
  };
}

/** A variable may be called `__proto__`. */
function record<Value>(): Record<string, Value> {
  return Object.create(null) as Record<string, Value>;
}

function passes(policy: Policy, request: EnvRequest): boolean {
  return policy.layers.every((layer) => goesAhead(answerOfLayer(layer, request)));
}

function reasonFor(name: string): DropReason {
  if (loadsCode(name)) return 'loads-code';
  return isGuardedVariable(name) ? 'secret-name' : 'not-passed';
}

/**
 * The layer that wrote the name out, so that its value may be a secret. Built-in lists name variables only for their
 * usual values.
 */
function namedBy(policy: Policy, name: string): NamedBy | undefined {
  const request: EnvRequest = { kind: 'env', name, looks: 'secret' };
  if (!passes(policy, request)) return undefined;
  const answer = policy.layers
    .map((layer) => answerOfLayer(layer, request))
    .find((each) => each !== undefined && each.file !== builtinFile);
  return answer === undefined ? undefined : { rule: answer.rule, file: answer.file, line: answer.line };
}

/**
 * The layer with more authority wins. A layer may deny a variable that another one sets, but need not have granted it.
 */
function setVariables(policy: Policy): readonly [string, string][] {
  return policy.layers
    .toReversed()
    .flatMap(({ settings }) =>
      settings.variables.flatMap(({ name, value }): [string, string][] =>
        policy.layers.some((layer) => isRuledOut(ask(layer, name))) ? [] : [[name, value]],
      ),
    );
}

function ask(layer: Layer, name: string): Answer | undefined {
  const request: EnvRequest = { kind: 'env', name };
  return answerOfLayer(layer, request);
}

function goesAhead(answer: Answer | undefined): boolean {
  return answer === undefined || answer.decision === 'allow' || answer.decision === 'audit';
}

function isRuledOut(answer: Answer | undefined): boolean {
  return answer !== undefined && !goesAhead(answer) && answer.code !== 'not-granted';
}

import { answerOfLayer } from '../decide.ts';
import { type Problem, problemAt } from '../document/problem.ts';
import { goesAhead } from '../verdict.ts';
import { knownHost } from '../kinds/known-pattern.ts';
import { normaliseHost } from '../normalise/host.ts';
import { builtinFile } from '../origin.ts';
import type { HostPattern } from '../patterns/host-pattern.ts';
import { hostsOverlap } from '../patterns/hosts-overlap.ts';
import { type Policy, policyOf } from '../policy.ts';
import { couldPass } from '../llm/looked-into.ts';
import { originText } from '../words/message.ts';
import { isBrokered } from './broker-for.ts';
import { sharedRemedy } from './credential-findings.ts';
import type { CredentialGroup } from './credential-group.ts';
import { groupsOf } from './credentials-of.ts';
import type { Injection } from './injection.ts';
import { onPort } from './read-binding.ts';
import { repeatedIn } from './delivered-variables.ts';

/** Returns conflicts of the credentials with the rest of the policy, or with the workspace. */
export function credentialProblems(policy: Policy): readonly Problem[] {
  const groups = policy.layers.flatMap(({ credentials }) => credentials);
  if (groups.length === 0) return [];
  const inForce = groupsOf(policy);
  return [
    ...groups.flatMap(({ problems }) => problems),
    ...sameNames(groups),
    ...sameVariables(inForce),
    ...inForce.flatMap((group) => [
      ...reachProblems(policy, group),
      ...passthroughProblems(policy, group),
      ...variableProblems(policy, group),
    ]),
  ];
}

function sameNames(groups: readonly CredentialGroup[]): readonly Problem[] {
  return repeatedIn(groups, ({ name }) => name).map(({ item: { name, origin }, first }) =>
    problemAt(
      origin,
      `the credential "${name}" is already in ${first.origin.file}:${first.origin.line}`,
      'give it another name, or take it out',
    ),
  );
}

function sameVariables(groups: readonly CredentialGroup[]): readonly Problem[] {
  const variables = groups.flatMap((group) => group.variables.map((variable) => ({ ...variable, group: group.name })));
  return repeatedIn(variables, ({ name }) => name).map(({ item: { name, origin }, first }) =>
    problemAt(
      origin,
      `${name} is already delivered by "${first.group}" of ${first.origin.file}:${first.origin.line}`,
      sharedRemedy,
    ),
  );
}

/** If TLS passes through, the phantom would be sent unchanged, and the secret never. */
function passthroughProblems({ layers }: Policy, { name, credentials, origin }: CredentialGroup): readonly Problem[] {
  const bound = credentials.filter((credential) => !isBrokered(credential)).flatMap(({ binding }) => binding.hosts);
  return layers
    .flatMap(({ network }) => network.facts().passthrough)
    .filter(({ pattern }) => bound.some((host) => hostsOverlap(host, pattern)))
    .map(({ pattern, origin: passed }) =>
      problemAt(
        origin,
        `"${pattern.source}" passes TLS through by ${originText(passed)}, so the credential "${name}" could never be inserted there`,
        `take it out of network.passthrough, or let hosts of "${name}" name others`,
      ),
    );
}

/** Attack: a variable that also passes from outside holds the real secret, unless the phantom comes last. */
function variableProblems({ layers }: Policy, { name, variables }: CredentialGroup): readonly Problem[] {
  return variables.flatMap(({ name: variable, origin }) =>
    layers.flatMap((layer): readonly Problem[] => {
      const set = layer.settings.variables
        .filter((each) => each.name === variable)
        .map((each) =>
          problemAt(
            each.origin,
            `${variable} is set here, and the credential "${name}" delivers its phantom in it`,
            'take it out of environment.set, or let the credential name another variable',
          ),
        );
      if (set.length > 0) return set;
      // A variable that looks like a secret passes only if the policy names it exactly.
      const answer = answerOfLayer(layer, { kind: 'env', name: variable, looks: 'secret' });
      if (answer === undefined || answer.file === builtinFile) return [];
      if (goesAhead(answer.decision))
        return [
          problemAt(
            answer,
            `${variable} passes from outside here, and the credential "${name}" delivers its phantom in it`,
            'take it out of environment.pass',
          ),
        ];
      return answer.code === 'deny-set' || answer.code === 'rule'
        ? [
            problemAt(
              origin,
              `${originText(answer)} keeps ${variable} out of the box, and the credential "${name}" delivers its phantom in it`,
              'deliver it in another variable, or take the refusal out',
            ),
          ]
        : [];
    }),
  );
}

/**
 * Reports credentials whose hosts cannot be reached. Each host that the table names must be open, and at least one of a
 * provider's. A project may close hosts: it narrows grants that its user made for all projects.
 */
function reachProblems(policy: Policy, group: CredentialGroup): readonly Problem[] {
  const own = policyOf(policy.layers.filter(({ kind }) => kind !== 'project'));
  const openings = own.layers.flatMap(({ network }) => network.facts().openings.map(({ pattern }) => pattern));
  const isOpen = (pattern: HostPattern): boolean =>
    candidates(pattern, openings).some(({ host, port }) => opens(own, host, port));
  return [...boundProblems(group, isOpen), ...tokenProblems(group, isOpen)];
}

function boundProblems(
  { name, credentials, hosts, origin }: CredentialGroup,
  isOpen: (pattern: HostPattern) => boolean,
): readonly Problem[] {
  const closed = hosts.filter(({ pattern }) => !isOpen(pattern));
  if (hosts.length > 0)
    return closed.map((host) =>
      problemAt(
        host.origin,
        `the credential "${name}" is for ${hostText(host.pattern)}, which the network rules do not allow`,
        `add "${hostText(host.pattern)}" to network.hosts, or take the host out of the credential`,
      ),
    );
  const provided = credentials.flatMap(({ binding }) => binding.hosts);
  if (provided.some(isOpen)) return [];
  const texts = [...new Set(provided.map(hostText))];
  return [
    problemAt(
      origin,
      `the credential "${name}" is for ${texts.join(', ')}, and the network rules allow none of them`,
      `add "${texts[0] ?? ''}" to network.hosts, or take the credential out`,
    ),
  ];
}

/** Reports token URLs that the policy closes, because Holdfast fetches tokens under the same policy. */
function tokenProblems(
  { name, credentials, origin }: CredentialGroup,
  isOpen: (pattern: HostPattern) => boolean,
): readonly Problem[] {
  const own = credentials.at(-1);
  const host = own === undefined ? undefined : tokenHost(own.injection);
  if (host === undefined || isOpen(host)) return [];
  return [
    problemAt(
      origin,
      `the credential "${name}" gets its tokens from ${hostText(host)}, which the network rules do not allow`,
      `add "${hostText(host)}" to network.hosts`,
    ),
  ];
}

function tokenHost(injection: Injection): HostPattern | undefined {
  switch (injection.kind) {
    case 'oauth2-client':
    case 'oauth2-refresh':
    case 'oauth2-login':
      return hostOfUrl(injection.tokenUrl);
    case 'github-app':
      return hostOfUrl(injection.api);
    default:
      return undefined;
  }
}

function hostOfUrl(url: string): HostPattern {
  return onPort(knownHost(url.slice('https://'.length).split('/')[0] ?? ''), 443);
}

function hostText({ source, ports }: HostPattern): string {
  return ports === undefined || new RegExp(`:${ports.from}(?:-${ports.to})?$`).test(source)
    ? source
    : `${source}:${ports.from}`;
}

function opens(policy: Policy, text: string, port: number): boolean {
  const host = normaliseHost(text);
  return host !== undefined && couldPass(policy, host, port);
}

/** Single destinations that a pattern covers. If any of them is open, part of the pattern is. */
function candidates(
  pattern: HostPattern,
  openings: readonly HostPattern[],
): readonly { readonly host: string; readonly port: number }[] {
  const { ports = { from: 443, to: 443 } } = pattern;
  const within = openings.flatMap((opening) =>
    opening.ports === undefined || opening.ports.from < ports.from || opening.ports.from > ports.to
      ? []
      : [opening.ports.from],
  );
  const hosts = hostsOf(pattern, openings);
  return [...new Set([ports.from, ...within])].flatMap((port) => hosts.map((host) => ({ host, port })));
}

function hostsOf({ host }: HostPattern, openings: readonly HostPattern[]): readonly string[] {
  switch (host.kind) {
    case 'exact':
      return [host.text];
    case 'localhost':
      return ['localhost', '127.0.0.1', '::1'];
    case 'subdomains':
      return [`any.${host.suffix}`, ...openings.flatMap((opening) => namesBelow(opening, host.suffix))];
    case 'any':
    case 'network':
      return [];
  }
}

function namesBelow({ host }: HostPattern, suffix: string): readonly string[] {
  if (host.kind === 'exact') return host.text.endsWith(`.${suffix}`) ? [host.text] : [];
  return host.kind === 'subdomains' && host.suffix.endsWith(`.${suffix}`) ? [`any.${host.suffix}`] : [];
}

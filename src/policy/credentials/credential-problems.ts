import { answerOfLayer } from '../decide.ts';
import { type Problem, problemAt } from '../document/problem.ts';
import { goesAhead } from '../decision.ts';
import { builtinFile } from '../origin.ts';
import { hostsOverlap } from '../patterns/hosts-overlap.ts';
import type { Policy } from '../policy.ts';
import { originText } from '../words/message.ts';
import { isBrokered } from './broker-for.ts';
import { sharedRemedy } from './credential-findings.ts';
import type { CredentialGroup } from './credential-group.ts';
import { groupsOf } from './credentials-of.ts';
import { reachProblems } from './reach-problems.ts';
import { repeatedIn } from './repeated-in.ts';

/** What of the credentials does not fit the rest of the policy, or the workspace. */
export function credentialProblems(policy: Policy): readonly Problem[] {
  const groups = policy.layers.flatMap(({ credentials }) => credentials);
  if (groups.length === 0) return [];
  const inForce = groupsOf(policy);
  return [
    ...groups.flatMap(({ problems }) => problems),
    ...sameNames(groups),
    ...sameVariables(inForce),
    ...inForce.flatMap((group) => [...reachProblems(policy, group), ...passthroughProblems(policy, group), ...variableProblems(policy, group)]),
  ];
}

function sameNames(groups: readonly CredentialGroup[]): readonly Problem[] {
  return repeatedIn(groups, ({ name }) => name).map(({ item: { name, origin }, first }) => problemAt(origin, `the credential "${name}" is already in ${first.origin.file}:${first.origin.line}`, 'give it another name, or take it out'));
}

function sameVariables(groups: readonly CredentialGroup[]): readonly Problem[] {
  const variables = groups.flatMap((group) => group.variables.map((variable) => ({ ...variable, group: group.name })));
  return repeatedIn(variables, ({ name }) => name).map(({ item: { name, origin }, first }) => problemAt(origin, `${name} is already delivered by "${first.group}" of ${first.origin.file}:${first.origin.line}`, sharedRemedy));
}

/** Where TLS passes unseen the phantom would go out as it is, and the secret never. */
function passthroughProblems({ layers }: Policy, { name, credentials, origin }: CredentialGroup): readonly Problem[] {
  const bound = credentials.filter((credential) => !isBrokered(credential)).flatMap(({ binding }) => binding.hosts);
  return layers
    .flatMap(({ network }) => network.facts().passthrough)
    .filter(({ pattern }) => bound.some((host) => hostsOverlap(host, pattern)))
    .map(({ pattern, origin: passed }) => problemAt(origin, `"${pattern.source}" passes TLS unseen by ${originText(passed)}, so the credential "${name}" could never be put in there`, `take it out of network.passthrough, or let hosts of "${name}" name others`));
}

/** Attack: a variable that also passes from outside is the real secret, wherever the phantom does not come last. */
function variableProblems({ layers }: Policy, { name, variables }: CredentialGroup): readonly Problem[] {
  return variables.flatMap(({ name: variable, origin }) =>
    layers.flatMap((layer): readonly Problem[] => {
      const set = layer.settings.variables.filter((each) => each.name === variable).map((each) => problemAt(each.origin, `${variable} is set here, and the credential "${name}" delivers its phantom in it`, 'take it out of environment.set, or let the credential name another variable'));
      if (set.length > 0) return set;
      // Only a name that is written out lets pass what looks like a secret.
      const answer = answerOfLayer(layer, { kind: 'env', name: variable, looks: 'secret' });
      if (answer === undefined || answer.file === builtinFile) return [];
      if (goesAhead(answer.decision)) return [problemAt(answer, `${variable} passes from outside here, and the credential "${name}" delivers its phantom in it`, 'take it out of environment.pass')];
      return answer.code === 'deny-set' || answer.code === 'rule' ? [problemAt(origin, `${originText(answer)} keeps ${variable} out of the box, and the credential "${name}" delivers its phantom in it`, 'deliver it in another variable, or take the refusal out')] : [];
    }),
  );
}

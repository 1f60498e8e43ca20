import { loadsCode } from '../../shell/loads-code.ts';
import type { Finding } from './problem.ts';
import type { PolicyValue } from './types.ts';

/**
 * Variables that make programs load code and are to come from outside, where whoever sets them would decide what runs.
 */
export function environmentFindings({
  environment,
  env = [],
  propose = [],
  exec = [],
}: PolicyValue): readonly Finding[] {
  return [
    ...namesAt('environment.pass', environment?.pass),
    ...env.flatMap(({ decision, names }, index) =>
      decision === 'deny' || decision === 'ask' ? [] : namesAt(`env[${index}].names`, names),
    ),
    ...propose.flatMap((proposal, index) => namesAt(`propose[${index}].environment.pass`, proposal.environment?.pass)),
    ...exec.flatMap(({ name, decision, env: variables }, index) =>
      variables === undefined || decision === 'allow' || decision === 'audit'
        ? []
        : [
            {
              at: `exec[${index}].env`,
              message: `"${name}" sets variables but decides "${decision}"`,
              remedy: 'decide "allow" or "audit", or leave env out',
            },
          ],
    ),
  ];
}

function namesAt(at: string, names: readonly string[] = []): readonly Finding[] {
  return names.flatMap((name, index) =>
    loadsCode(name) ? [{ at: `${at}[${index}]`, message: codeMessage(name), remedy: codeRemedy(name) }] : [],
  );
}

export function codeMessage(name: string): string {
  return `${name} never passes from outside: programs run what it names`;
}

export function codeRemedy(name: string): string {
  return `give it a value with environment.set = { ${name} = "…" }, or leave it out`;
}

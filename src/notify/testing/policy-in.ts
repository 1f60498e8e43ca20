import { parsePolicy } from '../../policy/document/parse.ts';
import { userLayer } from '../../policy/layers/compile-layer.ts';
import { type Policy, policyOf } from '../../policy/policy.ts';

/** A user policy in a workspace, without the parts that every policy needs. `text` leaves out the first line. */
export function policyIn(workspace: string, text: string): Policy {
  const parsed = parsePolicy(`version = 1\n${text}`, { file: 'policy.toml' });
  if (parsed.kind === 'problems') throw new Error(parsed.problems.map(({ message }) => message).join('\n'));
  return policyOf([userLayer(parsed.document, { home: '/home/dev', workspace, userFile: '~/policy.toml' }, [])]);
}

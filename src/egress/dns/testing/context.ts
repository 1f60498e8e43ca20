import { decide } from '../../../policy/decide.ts';
import { policyFrom } from '../../../policy/testing/policies.ts';
import { type AnswerContext, createNameTable } from '../name-table.ts';

export const openPolicy = `[network]
hosts = ["example.com", "*.example.org:443", "xn--bcher-kva.de"]
deny = ["bad.example.org"]
[[dns]]
name = "ask-first"
decision = "ask"
names = ["slow.example.org"]
[[dns]]
name = "noted"
decision = "audit"
names = ["noted.example.org"]
`;

/**
 * Answers by the policy above, with a table whose first address is 198.18.0.2. `asked` collects every name that the
 * policy judged.
 */
export function contextWith(parts: Partial<AnswerContext> = {}): AnswerContext & { readonly asked: string[] } {
  const asked: string[] = [];
  const policy = policyFrom({ user: openPolicy });
  return {
    authority: {
      decide: (request) => {
        if (request.kind === 'dns') asked.push(`${request.recordType} ${request.name}`);
        return decide(policy, request);
      },
    },
    names: createNameTable({ fake: { start: 0 } }),
    mode: { kind: 'fake' },
    refusedNames: 'nxdomain',
    ...parts,
    asked,
  };
}

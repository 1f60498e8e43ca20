import { parseHostPattern } from '../patterns/host-pattern.ts';
import type { DocumentFinding } from './problem.ts';

export function hostFindings(at: string, hosts: readonly string[]): readonly DocumentFinding[] {
  return hosts.flatMap((text, index) => {
    const parsed = parseHostPattern(text);
    return parsed.kind === 'host' ? [] : [{ at: `${at}[${index}]`, message: parsed.message, remedy: parsed.remedy }];
  });
}

/** Reports names that several entries of a list have. */
export function twice(at: string, entries: readonly { readonly name: string }[]): readonly DocumentFinding[] {
  return entries.flatMap(({ name }, index) => {
    const first = entries.findIndex((entry) => entry.name === name);
    return first === index
      ? []
      : [
          {
            at: `${at}[${index}].name`,
            message: `the name "${name}" is already used by ${at}[${first}]`,
            remedy: 'give each entry a name of its own',
          },
        ];
  });
}

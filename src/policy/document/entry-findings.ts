import { loadsCode } from '../../shell/loads-code.ts';
import { parseHostPattern } from '../patterns/host-pattern.ts';
import type { DocumentFinding } from './problem.ts';

export function hostFindings(at: string, hosts: readonly string[]): readonly DocumentFinding[] {
  return hosts.flatMap((text, index) => {
    const parsed = parseHostPattern(text);
    return parsed.kind === 'host' ? [] : [{ at: `${at}[${index}]`, message: parsed.message, remedy: parsed.remedy }];
  });
}

/** Reports names that occur more than once in a list. */
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

/**
 * Reports variables that make programs load code, if the host's value would pass. Anyone who sets them on the host
 * would decide what runs.
 */
export function loadedFromOutside(at: string, names: readonly string[] = []): readonly DocumentFinding[] {
  return names.flatMap((name, index) =>
    loadsCode(name) ? [{ at: `${at}[${index}]`, message: codeMessage(name), remedy: codeRemedy(name) }] : [],
  );
}

export function codeMessage(name: string): string {
  return `${name} never passes from outside: programs run the code that it names`;
}

export function codeRemedy(name: string): string {
  return `give it a value with environment.set = { ${name} = "…" }, or leave it out`;
}

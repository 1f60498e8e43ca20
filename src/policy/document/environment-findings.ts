import { loadsCode } from '../../shell/loads-code.ts';
import type { DocumentFinding } from './problem.ts';

/**
 * Reports variables that make programs load code, if they come from outside. Anyone who sets them there would decide
 * what runs.
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

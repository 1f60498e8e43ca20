import type { Script } from '../parse/index.ts';
import type { Opacity } from '../types.ts';
import { variablesSetIn } from './assignments.ts';
import type { Language } from './command.ts';
import type { ShellName } from './types.ts';

/** How a text for this shell is read; undefined where nobody reads it. */
export function languageOf(shell: ShellName): Language | undefined {
  switch (shell) {
    case 'bash':
    case 'powershell':
      return shell;
    case 'sh':
      return 'posix';
    case 'zsh':
    case 'cmd':
    case 'fish':
    case 'unknown':
      return undefined;
  }
}

/** Of a text that PowerShell was not asked about. */
export function notTold(text: string): Script {
  const opaque: Opacity = { kind: 'shell', message: 'the language of PowerShell is read by PowerShell only', span: { start: 0, end: text.length } };
  return { invocations: [], defined: new Set(), opaque: [opaque], shells: [undefined] };
}

/** What is to be said of a text as a whole, besides what the parser says. */
export function doubtsOf(text: string): readonly Omit<Opacity, 'span'>[] {
  const variable = variablesSetIn(text);
  return variable === undefined ? [] : [{ kind: 'inline-code', message: `\`${variable}\` decides what code runs` }];
}

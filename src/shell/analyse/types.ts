import type { Budget, Script } from '../parse/types.ts';

/**
 * What is looked into. `argv`: a command that no shell reads. `script`: a text for a shell. `parsed`: commands that the shell
 * itself has told, which is how PowerShell is read.
 */
export type CommandInput =
  | { readonly kind: 'argv'; readonly argv: readonly string[] }
  | { readonly kind: 'script'; readonly text: string; readonly shell: ShellName }
  | { readonly kind: 'parsed'; readonly script: Script };

export type ShellName = 'bash' | 'sh' | 'zsh' | 'cmd' | 'powershell' | 'fish' | 'unknown';

export interface AnalyseOptions {
  /** Absolute, inside the box. */
  readonly cwd: string;
  readonly home: string;
  readonly budget?: Partial<Budget>;
  /**
   * What PowerShell has told of a text; undefined where it was not asked. It is asked elsewhere, before: whoever has it notes the
   * texts that are wanted in a first analysis, and answers in a second one. Default: PowerShell texts are opaque.
   */
  readonly powershell?: (text: string) => Script | undefined;
}

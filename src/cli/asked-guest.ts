import { text, type CommandInput } from './command.ts';

/** `lima`, `lima:INSTANCE`, `wsl2` or `wsl2:DISTRIBUTION` as a backend. */
export interface AskedGuest {
  readonly kind: 'lima' | 'wsl2';
  readonly name: string | undefined;
}

export function askedGuest({ values }: Pick<CommandInput, 'values'>): AskedGuest | undefined {
  const [, kind, name] = /^(lima|wsl2)(?::(.+))?$/su.exec(text(values['backend']) ?? '') ?? [];
  return kind === 'lima' || kind === 'wsl2' ? { kind, name } : undefined;
}

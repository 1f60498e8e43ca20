import { randomUUID } from 'node:crypto';
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

interface Choice {
  readonly kind: 'chosen';
  readonly accelerator: 'kvm' | 'tcg';
  readonly why: string;
}

const fileName = 'accelerator.json';

/** Returns the choice that was remembered for the same `identity`. */
export function readChoice(directory: string, identity: string): Choice | undefined {
  try {
    const value: unknown = JSON.parse(readFileSync(join(directory, fileName), 'utf8'));
    if (
      typeof value !== 'object' ||
      value === null ||
      !('identity' in value) ||
      value.identity !== identity ||
      !('accelerator' in value) ||
      !('why' in value)
    )
      return undefined;
    const { accelerator, why } = value;
    return (accelerator === 'kvm' || accelerator === 'tcg') && typeof why === 'string'
      ? { kind: 'chosen', accelerator, why }
      : undefined;
  } catch {
    return undefined;
  }
}

/** If the choice cannot be written, it is not remembered, and the next run tries again. */
export function writeChoice(directory: string, identity: string, { accelerator, why }: Choice): void {
  const fresh = join(directory, `link-${randomUUID()}`);
  try {
    writeFileSync(fresh, JSON.stringify({ identity, accelerator, why }), { mode: 0o600, flag: 'wx' });
    renameSync(fresh, join(directory, fileName));
  } catch {
    rmSync(fresh, { force: true });
  }
}

/** Removes the remembered choice, so that the next caller tries again. */
export function forgetChoice(directory: string): void {
  rmSync(join(directory, fileName), { force: true });
}

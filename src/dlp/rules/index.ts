import { keys } from './keys/index.ts';
import { payment } from './payment/index.ts';
import { personal } from './personal/index.ts';
import { privateKeys } from './private-keys/index.ts';
import { tokens } from './tokens/index.ts';
import type { Rule } from './types.ts';

export { compilePattern, type CompiledPattern } from './custom/compile-pattern.ts';
export type { Lead, Rule, Span } from './types.ts';

/** Rules that are switched on together. */
export const rulePacks = { keys, 'private-keys': privateKeys, tokens, payment, personal } as const satisfies Readonly<Record<string, readonly Rule[]>>;

export type RulePackName = keyof typeof rulePacks;

/** All packs but `personal`: names of people and their numbers are what many programs are about. */
export const defaultRules: readonly Rule[] = [...keys, ...privateKeys, ...tokens, ...payment];

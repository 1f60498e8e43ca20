import type { Rule } from '../types.ts';
import { card } from './card/rule.ts';
import { iban } from './iban/rule.ts';

export const payment: readonly Rule[] = [card, iban];

import type { SecretRule } from '../types.ts';
import { card } from './card.ts';
import { iban } from './iban.ts';

export const payment: readonly SecretRule[] = [card, iban];

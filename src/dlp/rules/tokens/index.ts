import type { Rule } from '../types.ts';
import { jwt } from './jwt/rule.ts';

export const tokens: readonly Rule[] = [jwt];

import type { Rule } from '../types.ts';
import { age } from './age/rule.ts';
import { pem } from './pem/rule.ts';
import { putty } from './putty/rule.ts';
import { wireguard } from './wireguard/rule.ts';

export const privateKeys: readonly Rule[] = [pem, putty, age, wireguard];

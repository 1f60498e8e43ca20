import type { Rule } from '../types.ts';
import { email } from './email/rule.ts';
import { nationalIds } from './national-ids/index.ts';
import { phone } from './phone/rule.ts';

export const personal: readonly Rule[] = [email, phone, ...nationalIds];

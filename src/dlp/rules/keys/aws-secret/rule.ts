import { endOf } from '../../lib/at.ts';
import { entropyOf, isPlaceholder } from '../../lib/placeholders.ts';
import { literal } from '../../lib/leads.ts';
import type { Rule } from '../../types.ts';

/** It has no prefix, so its name must stand before it. */
const leads = ['ecret_access_key', 'ecretAccessKey', 'ECRET_ACCESS_KEY', 'ecret-access-key', 'aws_secret_key', 'AWS_SECRET_KEY', 'awsSecretKey'];
const separator = /["'`\\\]]{0,3}[ \t]{0,4}(?:=>|:=|[:=,>])[ \t\n]{0,8}["'`\\]{0,3}/uy;
const value = /[0-9A-Za-z/+]{40}(?![0-9A-Za-z/+=])/uy;

/** 40 random characters of base64 have about 4.8 bits. */
const leastEntropy = 4;

export const awsSecret: Rule = {
  name: 'aws-secret-key',
  leads: leads.map(literal),
  match(text, at) {
    const lead = leads.find((each) => text.startsWith(each, at)) ?? '';
    const start = endOf(separator, text, at + lead.length);
    const end = start === undefined ? undefined : endOf(value, text, start);
    if (start === undefined || end === undefined) return undefined;
    const secret = text.slice(start, end);
    return isPlaceholder(secret) || entropyOf(secret) < leastEntropy ? undefined : { start, end };
  },
  sources: ['https://docs.aws.amazon.com/IAM/latest/UserGuide/id_credentials_access-keys.html', 'npm:@secretlint/secretlint-rule-preset-recommend@13.0.7'],
};

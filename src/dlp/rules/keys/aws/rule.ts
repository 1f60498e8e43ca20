import { prefixed } from '../../lib/prefixed.ts';

export const aws = prefixed({
  name: 'aws-key',
  forms: [
    ...['AKIA', 'ASIA', 'ABIA', 'ACCA'].map((prefix) => ({ prefix, body: /[A-Z2-7]{16}/uy })),
    { prefix: 'ABSK', body: /[0-9A-Za-z+/]{109,269}={0,2}/uy },
  ],
  sources: ['https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_identifiers.html', 'https://github.com/gitleaks/gitleaks/blob/master/config/gitleaks.toml'],
});

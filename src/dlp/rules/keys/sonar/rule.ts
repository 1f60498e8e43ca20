import { prefixed } from '../../lib/prefixed.ts';

export const sonar = prefixed({
  name: 'sonar-token',
  forms: ['squ_', 'sqp_', 'sqa_'].map((prefix) => ({ prefix, body: /[0-9a-f]{40}/uy })),
  sources: ['https://docs.sonarsource.com/sonarqube-server/user-guide/managing-tokens/', 'https://github.com/gitleaks/gitleaks/blob/master/config/gitleaks.toml'],
});

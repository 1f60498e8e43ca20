import { prefixed } from '../../lib/prefixed.ts';

export const pypi = prefixed({
  name: 'pypi-token',
  forms: ['pypi-AgEIcHlwaS5vcmc', 'pypi-AgENdGVzdC5weXBpLm9yZw'].map((prefix) => ({ prefix, body: /[\w-]{50,1000}/uy })),
  sources: ['https://pypi.org/help/#apitoken', 'https://github.com/gitleaks/gitleaks/blob/master/config/gitleaks.toml'],
});

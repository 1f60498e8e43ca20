import { prefixed } from '../../lib/prefixed.ts';

export const gitlab = prefixed({
  name: 'gitlab-token',
  forms: ['glpat-', 'gldt-', 'glrt-', 'glcbt-', 'glptt-', 'glsoat-', 'glft-', 'glimt-', 'glagent-', 'gloas-', 'glffct-'].map((prefix) => ({ prefix, body: /[\w-]{20,300}(?:\.[0-9a-z]{2}\.[0-9a-z]{7,9})?/uy })),
  sources: ['https://docs.gitlab.com/security/tokens/#token-prefixes'],
});

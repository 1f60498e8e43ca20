import { prefixed } from '../../lib/prefixed.ts';

export const grafana = prefixed({
  name: 'grafana-token',
  forms: [
    { prefix: 'glsa_', body: /[0-9A-Za-z]{32}_[0-9A-Fa-f]{8}/uy },
    { prefix: 'glc_', body: /eyJ[0-9A-Za-z+/]{40,400}={0,2}/uy },
  ],
  sources: ['https://grafana.com/docs/grafana/latest/administration/service-accounts/', 'npm:@secretlint/secretlint-rule-preset-recommend@13.0.7'],
});

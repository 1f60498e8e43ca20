import { prefixed } from '../../lib/prefixed.ts';

export const hubspot = prefixed({
  name: 'hubspot-token',
  forms: [
    { prefix: 'pat-', body: /(?:na|eu)[12]-[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/uy },
  ],
  sources: ['https://developers.hubspot.com/docs/guides/apps/private-apps/overview'],
});

import { prefixed } from '../../lib/prefixed.ts';

export const doppler = prefixed({
  name: 'doppler-token',
  forms: [
    { prefix: 'dp.', body: /(?:pt|ct|sa|scim|audit)\.[0-9A-Za-z]{40,44}/uy },
    { prefix: 'dp.st.', body: /(?:[a-z\d_-]{2,35}\.)?[0-9A-Za-z]{40,44}/uy },
  ],
  sources: ['https://docs.doppler.com/docs/access-tokens-overview'],
});

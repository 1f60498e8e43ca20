import { prefixed } from '../../lib/prefixed.ts';

export const supabase = prefixed({
  name: 'supabase-key',
  forms: [
    { prefix: 'sbp_', body: /[0-9a-f]{40}/uy },
    { prefix: 'sb_secret_', body: /[\w-]{22}_[\w-]{8}/uy },
  ],
  sources: ['https://supabase.com/docs/guides/api/api-keys'],
});

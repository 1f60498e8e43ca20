import { prefixed } from '../../lib/prefixed.ts';

export const clojars = prefixed({
  name: 'clojars-token',
  forms: [
    { prefix: 'CLOJARS_', body: /[0-9a-f]{60}/uy },
  ],
  sources: ['https://github.com/clojars/clojars-web/wiki/Deploy-Tokens'],
});

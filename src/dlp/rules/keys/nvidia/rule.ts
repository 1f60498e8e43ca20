import { prefixed } from '../../lib/prefixed.ts';

export const nvidia = prefixed({
  name: 'nvidia-key',
  forms: [
    { prefix: 'nvapi-', body: /[\w-]{64}/uy },
  ],
  sources: ['https://docs.nvidia.com/ngc/gpu-cloud/ngc-user-guide/index.html'],
});

import { prefixed } from '../../lib/prefixed.ts';

export const azureStorage = prefixed({
  name: 'azure-storage-key',
  forms: [
    { prefix: 'AccountKey=', body: /[0-9A-Za-z+/]{86}==/uy },
    { prefix: 'SharedAccessKey=', body: /[0-9A-Za-z+/]{43}=/uy },
  ],
  sources: ['https://learn.microsoft.com/azure/storage/common/storage-configure-connection-string'],
});

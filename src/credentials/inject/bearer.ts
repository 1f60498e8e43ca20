import { withField } from '../../egress/index.ts';
import { keyHeaders } from './key-headers.ts';
import type { Injector } from './types.ts';

/** `Authorization: Bearer SECRET`: RFC 6750 §2.1. Also npm's and most providers' of language models. */
export const bearer: Injector<'bearer'> = {
  places: () => [{ kind: 'header', key: 'authorization' }],
  strips: () => keyHeaders,
  inject: async (request, { value }) => ({ ...request, fields: withField(request.fields, 'Authorization', `Bearer ${value}`) }),
};

import { withField } from '../../egress/index.ts';
import { keyHeaders } from './key-headers.ts';
import type { Injector } from './types.ts';

/** A field of the provider's own, such as `x-api-key`. The phantom may also come as `Authorization`, which SDKs send for a token. */
export const header: Injector<'header'> = {
  places: ({ credential }) => [{ kind: 'header', key: credential.injection.name.toLowerCase() }, { kind: 'header', key: 'authorization' }],
  strips: ({ credential }) => [...new Set([credential.injection.name.toLowerCase(), ...keyHeaders])],
  inject: async (request, { value }, { credential }) => {
    const { name, prefix = '' } = credential.injection;
    return { ...request, fields: withField(request.fields, name, `${prefix}${value}`) };
  },
};

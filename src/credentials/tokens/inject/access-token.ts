import { type OutgoingRequest, valueOf, withField } from '../../../egress/index.ts';
import { groupOf } from '../../../policy/index.ts';
import { basicValue } from '../../inject/basic.ts';
import { keyHeaders } from '../../inject/key-headers.ts';
import { refused } from '../../inject/refusals.ts';
import type { Injector } from '../../inject/types.ts';
import type { GrantKind } from '../grants/index.ts';
import { heldPhantom } from './held-phantom.ts';

/**
 * `Authorization: Bearer TOKEN` (RFC 6750 §2.1) with a token that the supervisor fetched. Clients that speak `Basic`,
 * as
 * git does, have it as the password of the user that GitHub documents for its Apps.
 */
export function accessToken<Kind extends GrantKind>(): Injector<Kind> {
  return {
    reads: 'nothing',
    places: () => [{ kind: 'header', key: 'authorization' }],
    strips: () => keyHeaders,
    async inject(request, _secret, { credential, context, asked }) {
      const read = await context.tokens.access(credential);
      if (read.kind === 'unavailable')
        return refused({ code: 'credential-unavailable', message: read.message, remedy: read.remedy });
      const { value } = read.secret;
      return {
        ...request,
        fields: withField(
          request.fields,
          'Authorization',
          isBasic(asked) ? basicValue('x-access-token', value) : `Bearer ${value}`,
        ),
      };
    },
    async answer(response, asked, parts) {
      // Attack: what holds no token is refused as often as a box likes, and would have the supervisor fetch tokens for
      // ever.
      if (response.status === 401 && heldPhantom(asked, parts)) parts.context.tokens.forget(groupOf(parts.credential));
      return response;
    },
  };
}

function isBasic({ fields }: OutgoingRequest): boolean {
  return /^basic\s/iu.test(valueOf(fields, 'authorization') ?? '');
}

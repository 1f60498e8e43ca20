import { base64url, chars } from './material.ts';
import type { Samples } from '../types.ts';

function token(header: object, signature: number): string {
  return `${base64url(JSON.stringify(header))}.${base64url('{"sub":"1729","aud":"billing","exp":1900000000}')}.${chars('base64url', signature)}`;
}

export const samples: Samples = {
  found: [
    { why: 'HS256', text: token({ alg: 'HS256', typ: 'JWT' }, 43) },
    { why: 'RS256', text: token({ typ: 'JWT', alg: 'RS256', kid: 'a1' }, 342) },
    { why: 'ES256', text: token({ kid: 'b', alg: 'ES256' }, 86) },
    { why: 'behind a scheme', before: 'Authorization: Bearer ', text: token({ alg: 'EdDSA' }, 86) },
    {
      why: 'encrypted',
      text: `${base64url('{"alg":"dir","enc":"A256GCM"}')}..${chars('base64url', 16)}.${chars('base64url', 200)}.${chars('base64url', 22)}`,
    },
  ],
  ignored: [
    { why: 'no algorithm', text: token({ typ: 'JWT' }, 43) },
    { why: 'unsigned', text: token({ alg: 'none' }, 0) },
    { why: 'unsigned, with a signature that nobody looks at', text: token({ alg: 'none' }, 43) },
    { why: 'the name of no algorithm', text: token({ alg: 256 }, 43) },
    { why: 'not JSON', text: `eyJ${chars('base64url', 40)}.${chars('base64url', 40)}.${chars('base64url', 40)}` },
    {
      why: 'a map of a source file',
      text: `sourceMappingURL=data:application/json;base64,${base64url('{"version":3,"sources":["a.js"]}')}`,
    },
  ],
};

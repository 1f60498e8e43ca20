import { inspect } from 'node:util';
import type { Secret } from '../types.ts';

/**
 * The same secret, which neither `util.inspect` nor JSON shows: what is logged by mistake says `[a secret]`. JavaScript has no
 * way to wipe a string; that nobody else reads the memory is what keeps it.
 */
export function sealed({ value, fields, expires }: Secret): Secret {
  const secret = { value, fields: hidden({ ...fields }), ...(expires === undefined ? {} : { expires }) };
  return hidden(secret);
}

function hidden<Value extends object>(value: Value): Value {
  const say = { value: () => '[a secret]', enumerable: false };
  return Object.defineProperties(value, { toJSON: say, toString: say, [inspect.custom]: say });
}

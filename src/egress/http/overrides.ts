import type { Fields } from './message.ts';

/** The parts of a request that decide which action a server takes. */
export interface RequestWords {
  readonly method: string;
  /** Path and query, or `*`. */
  readonly target: string;
  readonly fields?: Fields;
}

/** Rack, Express, Laravel, Spring, ASP.NET and Google's servers take the method from one of these. */
const methodFields: ReadonlySet<string> = new Set(['x-http-method-override', 'x-http-method', 'x-method-override']);
/** IIS, and frameworks that once ran behind it, take the target from one of these. */
const targetFields: ReadonlySet<string> = new Set(['x-original-url', 'x-rewrite-url']);

/**
 * Returns every request that a server could understand from this one, starting with itself. Fields and the query can
 * name another method or target than the request line. Overrides in a form's content are not seen. Attack:
 * `net-method-overrides`.
 */
export function meanings({ method, target, fields = [] }: RequestWords): readonly RequestWords[] {
  const named = [...valuesIn(fields, methodFields), ...parameters(target)];
  const methods = [method, ...named.map((each) => each.toUpperCase())];
  const targets = [target, ...valuesIn(fields, targetFields)];
  if (methods.length === 1 && targets.length === 1) return [{ method, target }];
  return [...new Set(methods)].flatMap((each) => [...new Set(targets)].map((to) => ({ method: each, target: to })));
}

/** Behind CGI and WSGI, `_` in a field name equals `-`. */
function valuesIn(fields: Fields, names: ReadonlySet<string>): readonly string[] {
  return fields.flatMap(({ key, value }) => (value !== '' && names.has(key.replaceAll('_', '-')) ? [value] : []));
}

/** Symfony and Laravel take `_method` from the query too. */
function parameters(target: string): readonly string[] {
  const at = target.indexOf('?');
  if (at === -1 || !/method|%[4-7]/iu.test(target)) return [];
  return new URLSearchParams(target.slice(at + 1)).getAll('_method').filter((value) => value !== '');
}

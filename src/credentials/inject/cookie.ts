import { field, withField } from '../../egress/http/message.ts';
import { secretUnavailable } from './misuse.ts';
import type { Injector } from './types.ts';

/** Puts the secret into one cookie of a request. The other cookies stay unchanged. */
export const cookie: Injector<'cookie'> = {
  places: ({ credential }) => [{ kind: 'cookie', name: credential.injection.name }],
  strips: () => [],
  inject: async (request, { value }, { credential }) => {
    // Source: RFC 6265 §4.1.1. Any other character would end the cookie, or begin another one.
    if (!/^[!#-+\--:<-[\]-~]*$/u.test(value))
      return secretUnavailable(
        credential.name,
        'holds a character that a cookie cannot hold',
        'Check the output of its source, or inject it as a header.',
      );
    const { name } = credential.injection;
    const crumbs = request.fields.filter(({ key }) => key === 'cookie').flatMap(({ value: line }) => cookiesOf(line));
    const first = crumbs.findIndex((crumb) => crumb.name === name);
    const own = `${name}=${value}`;
    const rest = crumbs.flatMap((crumb, index) => (index === first ? [own] : crumb.name === name ? [] : [crumb.text]));
    const line = (first === -1 ? [...rest, own] : rest).join('; ');
    return {
      ...request,
      fields:
        crumbs.length === 0 ? [...request.fields, field('Cookie', line)] : withField(request.fields, 'Cookie', line),
    };
  },
};

/** One `name=value` of a `Cookie` field. */
interface Crumb {
  readonly name: string;
  /** Name and value as sent. */
  readonly text: string;
}

export function cookiesOf(line: string): readonly Crumb[] {
  return line
    .split(';')
    .map((text) => text.trim())
    .filter((text) => text !== '')
    .map((text) => ({ name: (text.split('=', 1)[0] ?? '').trim(), text }));
}

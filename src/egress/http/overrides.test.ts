import { describe, expect, test } from 'vitest';
import { field } from './message.ts';
import { meanings } from './overrides.ts';

const said = (target: string, ...fields: readonly (readonly [string, string])[]): readonly string[] =>
  meanings({ method: 'POST', target, fields: fields.map(([name, value]) => field(name, value)) }).map(
    (each) => `${each.method} ${each.target}`,
  );

describe('a request means', () => {
  test('its line', () => {
    expect(said('/a?b=c', ['X-Method', 'DELETE'], ['X-HTTP-Method-Override', ''])).toEqual(['POST /a?b=c']);
  });

  test.each(['X-HTTP-Method-Override', 'x-http-method', 'X-Method-Override', 'X_Http_Method'])(
    'the method in %s too',
    (name) => {
      expect(said('/a', [name, 'DELETE'])).toEqual(['POST /a', 'DELETE /a']);
    },
  );

  test.each(['/a?_method=PUT', '/a?b&_method=PUT', '/a?%5Fmethod=PUT', '/a?_method=put'])(
    'the method in %s too',
    (target) => {
      expect(said(target)).toEqual([`POST ${target}`, `PUT ${target}`]);
    },
  );

  test('each method at each target', () => {
    expect(said('/a', ['X-Original-URL', '/b'], ['X-HTTP-Method', 'PUT'], ['X-Rewrite-Url', '/b'])).toEqual([
      'POST /a',
      'POST /b',
      'PUT /a',
      'PUT /b',
    ]);
  });
});

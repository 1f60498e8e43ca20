import { keyHeaders } from './key-headers.ts';
import { escaped, parametersOf, withParameters } from './target.ts';
import type { Injector } from './types.ts';

/** `?key=SECRET`. Of several parameters of that name one is left, at the place of the first. */
export const query: Injector<'query'> = {
  places: ({ credential }) => [{ kind: 'query', parameter: credential.injection.parameter }],
  strips: () => keyHeaders,
  inject: async (request, { value }, { credential }) => {
    const { parameter } = credential.injection;
    const present = parametersOf(request.target);
    const first = present.findIndex(({ name }) => name === parameter);
    const own = `${escaped(parameter)}=${escaped(value)}`;
    const rest = present.flatMap(({ name, text }, index) => (index === first ? [own] : name === parameter ? [] : [text]));
    return { ...request, target: withParameters(request.target, first === -1 ? [...rest, own] : rest) };
  },
};

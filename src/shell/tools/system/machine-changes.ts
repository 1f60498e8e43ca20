import { opaqueEffect } from '../notation.ts';

export const change = (what: string) => opaqueEffect('inline-code', what);

export const machine = change('changes the machine');

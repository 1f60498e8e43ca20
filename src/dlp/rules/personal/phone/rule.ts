import { endOf } from '../../lib/at.ts';
import { digit, isWord } from '../../lib/characters.ts';
import { hasNear } from '../../lib/context.ts';
import type { Rule } from '../../types.ts';

const international = /\+[1-9]\d{0,3}(?:[ .()/-]{1,2}\d{1,5}){0,6}\d{0,10}/uy;
const american = /(?:\([2-9]\d{2}\) ?|[2-9]\d{2}[ .-])[2-9]\d{2}[ .-]\d{4}/uy;
const national = /0\d{1,5}(?:[ ./-]{1,3}\d{2,8}){1,5}/uy;
const words = /\b(?:phone|tel|telephone|mobile|cell|call|fax|sms|whatsapp|telefon|handy|mobil|téléphone|portable|teléfono|móvil|telefono|cellulare|celular|telefone|telefoon)\b|\btel:/u;

/** E.164 allows 15 digits; no number that people dial has fewer than seven. */
const fewestDigits = 7;
const mostDigits = 15;
/** 555-0100 to 555-0199 are for stories. */
const fictional = /555[ .-]?01\d{2}$/u;

/** A number in a form that people write, with a word about telephones near it. */
export const phone: Rule = {
  name: 'phone-number',
  leads: [['+', '123456789', `${digit} (.-`], ['(', '23456789', digit], ['23456789', digit, digit, ' .-'], ['0', digit, `${digit} ./-`]],
  match(text, at) {
    if (isWord(text.charCodeAt(at - 1)) || '.+-'.includes(text[at - 1] ?? ' ')) return undefined;
    const end = endOf(international, text, at) ?? endOf(american, text, at) ?? endOf(national, text, at);
    if (end === undefined || isWord(text.charCodeAt(end))) return undefined;
    const value = text.slice(at, end);
    const count = value.replaceAll(/\D/gu, '').length;
    const isOne = count >= fewestDigits && count <= mostDigits && !fictional.test(value) && hasNear(text, { start: at, end }, words);
    return isOne ? { start: at, end } : undefined;
  },
  sources: ['ITU-T E.164', 'https://nationalnanpa.com/about_us/abt_nanp.html'],
};

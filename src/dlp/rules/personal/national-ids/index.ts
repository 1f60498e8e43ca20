import { digit } from '../../lib/characters.ts';
import { passesLuhn } from '../../lib/luhn.ts';
import type { Rule } from '../../types.ts';
import { isAhv, isBsn, isCodiceFiscale, isCpf, isDni, isNino, isNir, isPesel, isSsn, isSteuerId } from './checks.ts';
import { passesVerhoeff } from './verhoeff.ts';
import { type IdForm, withContext } from './with-context.ts';

const upper = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';
const more = `${digit} ./-`;
/** Digits, with whatever people put between them. */
const number = [digit, more, more, more];

const forms: readonly IdForm[] = [
  { name: 'us-ssn', lead: number, form: /\d{3}(?:-\d{2}-\d{4}| \d{2} \d{4}|\d{6})/uy, check: isSsn, words: /\bssn\b|social security/u, sources: ['https://www.ssa.gov/employer/randomization.html'] },
  { name: 'uk-nino', lead: [upper, upper, `${digit} `, digit], form: /[A-CEGHJ-PR-TW-Z][A-CEGHJ-NPR-TW-Z] ?\d{2} ?\d{2} ?\d{2} ?[A-D]/uy, check: isNino, words: /national insurance|\bnino\b|\bni (?:number|no)/u, sources: ['https://www.gov.uk/hmrc-internal-manuals/national-insurance-manual/nim39110'] },
  { name: 'de-steuer-id', lead: number, form: /[1-9]\d(?: ?\d{3}){3}/uy, check: isSteuerId, words: /steuer|\bidnr|\btin\b|tax id/u, sources: ['https://de.wikipedia.org/wiki/Steuerliche_Identifikationsnummer'] },
  { name: 'fr-nir', lead: ['12', more, more, more], form: /[12] ?\d{2} ?\d{2} ?(?:\d{2}|2[AB]) ?\d{3} ?\d{3} ?\d{2}/uy, check: isNir, words: /sécu|secu|\bnir\b|insee|\bnss\b/u, sources: ['https://www.insee.fr/fr/metadonnees/definition/c1409'] },
  { name: 'es-dni', lead: [`${digit}XYZ`, digit, digit, digit], form: /(?:\d{8}|[XYZ]-?\d{7})-?[A-Z]/uy, check: isDni, words: /\bdni\b|\bnie\b|\bnif\b|documento/u, sources: ['https://www.interior.gob.es/opencms/es/servicios-al-ciudadano/tramites-y-gestiones/dni/calculo-del-digito-de-control-del-nif-nie/'] },
  { name: 'it-codice-fiscale', lead: [upper, upper, upper, upper], form: /[A-Z]{6}\d{2}[ABCDEHLMPRST]\d{2}[A-Z]\d{3}[A-Z]/uy, check: isCodiceFiscale, words: /codice|fiscale|\bcf\b/u, sources: ['https://it.wikipedia.org/wiki/Codice_fiscale'] },
  { name: 'nl-bsn', lead: number, form: /\d{4}\.?\d{2}\.?\d{3}/uy, check: isBsn, words: /\bbsn\b|burgerservice|sofi/u, sources: ['https://www.rvig.nl/bsn'] },
  { name: 'br-cpf', lead: number, form: /\d{3}\.?\d{3}\.?\d{3}-?\d{2}/uy, check: isCpf, words: /\bcpf\b|cadastro/u, sources: ['https://pt.wikipedia.org/wiki/Cadastro_de_pessoas_f%C3%ADsicas'] },
  { name: 'in-aadhaar', lead: number, form: /[2-9]\d{3}(?: \d{4} \d{4}|-\d{4}-\d{4}|\d{8})/uy, check: passesVerhoeff, words: /aadhaar|aadhar|uidai|\buid\b/u, sources: ['https://uidai.gov.in/en/my-aadhaar/about-your-aadhaar.html'] },
  { name: 'ca-sin', lead: number, form: /[1-9]\d{2}(?: \d{3} \d{3}|-\d{3}-\d{3}|\d{6})/uy, check: passesLuhn, words: /\bsin\b|social insurance/u, sources: ['https://www.canada.ca/en/employment-social-development/services/sin.html'] },
  { name: 'pl-pesel', lead: number, form: /\d{11}/uy, check: isPesel, words: /pesel/u, sources: ['https://www.gov.pl/web/gov/czym-jest-numer-pesel'] },
  { name: 'ch-ahv', lead: [...'756', `${digit}.`], form: /756\.?\d{4}\.?\d{4}\.?\d{2}/uy, check: isAhv, words: /\bahv|\bavs\b|sozialversicherung|\bnavs/u, sources: ['https://www.zas.admin.ch/'] },
];

/** Numbers that states give to people. Each needs a word near it. */
export const nationalIds: readonly Rule[] = forms.map(withContext);

import { type CodeCheck, systemClock } from '../../approvals/index.ts';
import { codeCheck, readKey, spentCodes, totpPlaces } from '../../approvals/totp/index.ts';
import { type ApprovalSettings, needsCode } from '../../policy/index.ts';
import type { Place } from '../place.ts';

/** The codes that the policy wants for some rules; undefined where it wants none. */
export function policyCodes({ paths }: Place, settings: ApprovalSettings): CodeCheck | undefined {
  if (settings.totp.length === 0) return undefined;
  const { key, spent } = totpPlaces(paths.state);
  return { covers: (rule) => needsCode(settings, rule), check: codeCheck({ key: () => readKey(key), spend: spentCodes(spent), clock: systemClock }) };
}

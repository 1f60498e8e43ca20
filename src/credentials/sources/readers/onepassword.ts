import { askProgram } from '../ask-program.ts';
import { oneLine } from '../one-line.ts';
import { patience } from '../patience.ts';
import type { ReadSource } from '../types.ts';

/** 1Password CLI 2: `op read --no-newline REFERENCE`. Source: developer.1password.com/docs/cli/reference/commands/read. */
export const readOnePassword: ReadSource<'onepassword'> = async ({ reference }, _credential, context) => {
  if (!reference.startsWith('op://')) return { kind: 'unavailable', why: 'its reference does not begin with op://', remedy: 'write it as op://vault/item/field' };
  const said = await askProgram({ program: 'op', words: ['read', '--no-newline', reference], timeout: patience, remedy: 'sign in with `op signin`, or set OP_SERVICE_ACCOUNT_TOKEN, and try `op read` with this reference' }, context);
  return said.kind === 'output' ? oneLine(said.text) : said;
};

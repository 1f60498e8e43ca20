import { type CommandInput, isSet } from '../command.ts';
import { jsonText } from '../json-text.ts';
import { safeText } from '../safe-text.ts';
import { visibleName } from '../../staged/diff/visible-text.ts';
import { kindText, stateWord } from './describe.ts';
import { rowJson } from './row-json.ts';
import { isApproved, type TrustRow, trustPlace, type WorkspaceTrust, workspaceTrust } from './workspace-trust.ts';

/** `holdfast trust status`: 1 when something is not approved, as it is now. */
export async function trustStatusCommand(input: CommandInput): Promise<number> {
  const trust = await workspaceTrust(input, { ...trustPlace(input), look: 'remembered' });
  const { root, discovery, rows } = trust;
  if (isSet(input.values['json'])) input.io.stdout.write(jsonText({ workspace: root, looked: discovery.looked, problems: discovery.problems, files: rows.map(rowJson) }));
  else input.io.stdout.write(safeText(statusText(trust)));
  return rows.every((row) => row.state === 'gone' || isApproved(row)) ? 0 : 1;
}

function statusText({ root, discovery, rows }: WorkspaceTrust): string {
  const open = rows.filter((row) => !isApproved(row));
  return [
    `${root}: ${rows.length - open.length} approved, ${open.length} not`,
    ...open.map(rowText),
    ...discovery.problems.map((problem) => `not looked at: ${problem}`),
    ...(open.some(({ state }) => state !== 'gone') ? ['see `holdfast trust diff` for what they do, `holdfast trust add` to approve them'] : []),
    '',
  ].join('\n');
}

function rowText(row: TrustRow): string {
  return `  ${stateWord(row).padEnd(8)} ${visibleName(Buffer.from(row.path))}${row.found === undefined ? '' : `  ${kindText(row.found)}`}`;
}

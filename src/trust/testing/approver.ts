/** A process that approves files one after the other: `node approver.ts TRUST RUNTIME PREFIX COUNT`. */
import process from 'node:process';
import { keepApprovals } from '../store/change-trust.ts';
import { sha, trustEntry } from './values.ts';

const [trust = '', runtime = '', prefix = '', count = ''] = process.argv.slice(2);
for (let index = 0; index < Number(count); index += 1) {
  const path = `${prefix}-${index}.md`;
  const approvals = [
    { entry: trustEntry({ path, sha256: sha(path) }), contents: new Map([[sha(path), Buffer.from(path)]]) },
  ];
  keepApprovals(
    { trust, runtime },
    { workspace: '/home/dev/app', level: 'always', approvals, journal: () => undefined },
  );
}

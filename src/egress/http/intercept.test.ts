import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { startFront } from './testing/front.ts';
import { httpsUpstream } from './testing/servers.ts';

const run = promisify(execFile);
describe('x', () => {
  test('curl', async () => {
    await using up = await httpsUpstream((request, response) => response.end(`${request.method} ${request.url} ${JSON.stringify(request.rawHeaders)}`));
    await using front = await startFront({ upstreamPort: up.port });
    const { stdout } = await run('curl', ['-sk', '--max-time', '5', '--resolve', `api.test:${front.port}:127.0.0.1`, '-i', front.url('/a?b=c'), front.url('/2')]);
    expect(stdout).toContain('GET /a?b=c');
  });
});

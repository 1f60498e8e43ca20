import { expect, test } from 'vitest';
import { serverName } from './wrap.ts';

test.each(['npx', '/usr/bin/python3.11', 'node', 'docker', 'uvx', 'sh', '/bin/bash', 'NPX.CMD'])(
  '%s needs a name for its program',
  (program) => {
    expect(() => serverName(program)).toThrow(
      expect.objectContaining({ code: 'HF_USAGE', remedy: expect.stringContaining('--name') as unknown }),
    );
  },
);

test.each([
  ['/usr/bin/mcp-server-git', 'mcp-server-git'],
  ['node-server', 'node-server'],
  ['/opt/my docs', 'my-docs'],
  ['gopher', 'gopher'],
])('%s is called %s', (program, name) => {
  expect(serverName(program)).toBe(name);
});

import { describe, expect, test } from 'vitest';
import type { FileRequest } from '../policy/request.ts';
import { withheldRequests } from './withheld-requests.ts';

const root = '/home/dev/app';
const names = [['.mcp.json'], ['.claude']];

function sorted(
  requests: readonly (readonly [FileRequest['operation'], string])[],
  { approved = [], missing = [] }: { readonly approved?: readonly string[]; readonly missing?: readonly string[] } = {},
) {
  const asked = requests.map(([operation, path]): FileRequest => ({ kind: 'file', operation, path }));
  const { withheld, others } = withheldRequests(asked, {
    root,
    names,
    approved,
    exists: (path) => !missing.includes(path),
  });
  return {
    withheld: withheld.map(({ request }) => (request.kind === 'file' ? request.path : '')),
    others: others.map((request) => (request.kind === 'file' ? `${request.operation} ${request.path}` : request.kind)),
  };
}

describe('requests for unapproved files', () => {
  test('appear once per path, whatever was tried', () => {
    expect(
      sorted([
        ['read', `${root}/.mcp.json`],
        ['write', `${root}/.mcp.json`],
        ['read', `${root}/a/.claude/x`],
      ]),
    ).toEqual({ withheld: [`${root}/.mcp.json`, `${root}/a/.claude/x`], others: [] });
  });

  test.each<[string, readonly [FileRequest['operation'], string], Parameters<typeof sorted>[1]]>([
    ['elsewhere', ['read', '/home/dev/.mcp.json'], {}],
    ['in a directory that begins alike', ['read', '/home/dev/app2/.mcp.json'], {}],
    ['of another name', ['write', `${root}/src/index.ts`], {}],
    ['that was approved', ['write', `${root}/.mcp.json`], { approved: [`${root}/.mcp.json`] }],
    ['in an approved directory', ['write', `${root}/.claude/x`], { approved: [`${root}/.claude`] }],
    ['that the command would make', ['create', `${root}/.mcp.json`], { missing: [`${root}/.mcp.json`] }],
  ])('are not those for a file %s', (_what, request, more) => {
    expect(sorted([request], more)).toEqual({ withheld: [], others: [request.join(' ')] });
  });

  test('are not those for other things', () => {
    const request = { kind: 'connect', host: 'x.test', port: 443, protocol: 'tcp' } as const;
    expect(withheldRequests([request], { root, names, approved: [], exists: () => true })).toEqual({
      withheld: [],
      others: [request],
    });
  });
});

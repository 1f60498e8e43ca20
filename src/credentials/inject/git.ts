import { withField } from '../../egress/index.ts';
import { basicValue } from './basic.ts';
import { keyHeaders } from './key-headers.ts';
import { pathOf } from './target.ts';
import type { Injector } from './types.ts';

/** Sources: gitprotocol-http(5); git-lfs docs/api/server-discovery.md, batch.md, locking.md; config/routes/git_http.rb of GitLab. */
const gitPath = /\/(?:info\/refs|git-(?:upload|receive)-pack|info\/lfs\/(?:objects(?:\/[\w-]+)?|locks(?:\/[\w-]+(?:\/unlock)?)?)|gitlab-lfs\/objects\/[\da-f]{64}(?:\/\d+)?)$/u;

/** Basic on the paths of git's smart HTTP protocol and of its large files, and on no page of the same host. */
export const git: Injector<'git'> = {
  isFor: ({ target }) => gitPath.test(pathOf(target)),
  places: () => [{ kind: 'header', key: 'authorization' }],
  strips: () => keyHeaders,
  inject: async (request, { value }, { credential }) => ({ ...request, fields: withField(request.fields, 'Authorization', basicValue(credential.injection.user, value)) }),
};

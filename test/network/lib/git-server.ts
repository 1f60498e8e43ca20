import { execFileSync, spawn } from 'node:child_process';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';

const identity = ['-c', 'user.name=T', '-c', 'user.email=t@example.org', '-c', 'init.defaultBranch=main'];

/** `project.git` in a directory, with one commit on `main`. Anyone may push. */
export function bareRepository(directory: string): string {
  const path = join(directory, 'project.git');
  const git = (...words: readonly string[]): string =>
    execFileSync('git', [...identity, ...words], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { PATH: process.env['PATH'], HOME: directory },
    });
  git('init', '-q', '--bare', path);
  git('-C', path, 'config', 'http.receivepack', 'true');
  const tree = git('-C', path, 'mktree').trim();
  git('-C', path, 'update-ref', 'refs/heads/main', git('-C', path, 'commit-tree', tree, '-m', 'first').trim());
  return path;
}

/** Subjects of the commits on a branch, newest first. */
export function subjects(path: string, branch = 'main'): readonly string[] {
  return execFileSync('git', ['-c', `safe.directory=${path}`, '-C', path, 'log', '--format=%s', branch], {
    encoding: 'utf8',
  })
    .trim()
    .split('\n');
}

/** Smart HTTP by `git http-backend`: RFC 3875 on one side, Node on the other. */
export function serveGit(root: string) {
  return (request: IncomingMessage, response: ServerResponse): void => {
    const url = new URL(request.url ?? '/', 'http://server');
    const child = spawn('git', ['http-backend'], {
      env: { PATH: process.env['PATH'], ...variables(request, url), GIT_PROJECT_ROOT: root, GIT_HTTP_EXPORT_ALL: '1' },
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    child.stdin.on('error', () => undefined);
    request.pipe(child.stdin);
    const chunks: Buffer[] = [];
    child.stdout
      .on('data', (chunk: Buffer) => chunks.push(chunk))
      .on('end', () => answer(Buffer.concat(chunks), response));
  };
}

function variables({ method, headers }: IncomingMessage, url: URL): NodeJS.ProcessEnv {
  return {
    REQUEST_METHOD: method,
    PATH_INFO: url.pathname,
    QUERY_STRING: url.search.slice(1),
    CONTENT_TYPE: headers['content-type'] ?? '',
    HTTP_CONTENT_ENCODING: headers['content-encoding'] ?? '',
    GIT_PROTOCOL: String(headers['git-protocol'] ?? ''),
    REMOTE_ADDR: '127.0.0.1',
  };
}

function answer(output: Buffer, response: ServerResponse): void {
  const end = output.indexOf('\r\n\r\n');
  const fields = output
    .toString('latin1', 0, end)
    .split('\r\n')
    .map((line) => line.split(': '));
  for (const [name = '', value = ''] of fields) {
    if (name.toLowerCase() === 'status') response.statusCode = Number.parseInt(value, 10);
    else response.setHeader(name, value);
  }
  response.end(output.subarray(end + 4));
}

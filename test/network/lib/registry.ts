import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { dirname, join } from 'node:path';

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

/** An npm registry with one package, `left-thing` 1.0.0. `base` is its URL. */
export function npmRegistry(directory: string, base: () => string): Handler {
  write(
    join(directory, 'package/package.json'),
    JSON.stringify({ name: 'left-thing', version: '1.0.0', main: 'index.js' }),
  );
  write(join(directory, 'package/index.js'), 'module.exports = "left";\n');
  execFileSync('tar', ['-czf', 'left-thing.tgz', 'package'], { cwd: directory });
  const tarball = readFileSync(join(directory, 'left-thing.tgz'));
  const integrity = `sha512-${createHash('sha512').update(tarball).digest('base64')}`;
  return (request, response) => {
    if (request.url === '/left-thing/-/left-thing-1.0.0.tgz') return void response.end(tarball);
    if (request.url !== '/left-thing') return void response.writeHead(404).end();
    const version = {
      name: 'left-thing',
      version: '1.0.0',
      dist: { tarball: `${base()}/left-thing/-/left-thing-1.0.0.tgz`, integrity },
    };
    response
      .setHeader('content-type', 'application/json')
      .end(JSON.stringify({ name: 'left-thing', 'dist-tags': { latest: '1.0.0' }, versions: { '1.0.0': version } }));
  };
}

/** A flat Debian repository with one package, `left-thing` 1.0. */
export function debianRepository(directory: string): Handler {
  write(
    join(directory, 'tree/DEBIAN/control'),
    'Package: left-thing\nVersion: 1.0\nArchitecture: all\nMaintainer: T <t@example.org>\nDescription: test\n',
  );
  execFileSync('dpkg-deb', ['--root-owner-group', '-b', 'tree', 'left-thing.deb'], { cwd: directory, stdio: 'ignore' });
  const archive = readFileSync(join(directory, 'left-thing.deb'));
  const index = `${readFileSync(join(directory, 'tree/DEBIAN/control'), 'utf8')}Filename: ./left-thing.deb\nSize: ${archive.length}\nSHA256: ${createHash('sha256').update(archive).digest('hex')}\n\n`;
  const files: Readonly<Record<string, string | Buffer>> = {
    '/./left-thing.deb': archive,
    '/left-thing.deb': archive,
    '/./Packages': index,
    '/Packages': index,
  };
  return ({ url = '' }, response) => {
    const file = files[url];
    if (file === undefined) response.writeHead(404).end();
    else response.end(file);
  };
}

function write(path: string, content: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
}

import { execFile } from 'node:child_process';
import { createServer } from 'node:http';
import { createServer as createSocketServer, type AddressInfo } from 'node:net';
import process from 'node:process';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { binary, Project } from '../lib/holdfast.ts';

/** One box each: the supervisor's work for a command without mounts and namespaces. */
test('connections lead through the egress, and servers of the box are its own', async () => {
  const server = createServer((_, response) => void response.end('host says hello')).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  const abstract = createSocketServer().listen('\0holdfast-own');
  const beside = `/dev/shm/holdfast-${process.pid}.sock`;
  const below = createSocketServer().listen(beside);
  onTestFinished(() => void [abstract, below].map((each) => each.close()));
  const project = new Project();
  project.write(
    'dial.py',
    `
import socket, urllib.request
print(urllib.request.urlopen("http://localhost:${port}/", timeout=20).read().decode())
def refused(make):
  try: make(); return "made"
  except OSError as e: return e.errno
print(refused(lambda: socket.create_connection(("127.0.0.1", 22), 5)), refused(lambda: socket.socket(socket.AF_INET, socket.SOCK_DGRAM)), refused(lambda: socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)))
own = socket.socket(); own.bind(("0.0.0.0", 0)); own.listen()
client = socket.create_connection(("localhost", own.getsockname()[1]), 5); client.sendall(b"inside")
print(own.accept()[0].recv(10).decode(), own.getsockname()[0] != "127.0.0.1")
a = socket.socket(socket.AF_UNIX); a.bind("\\0holdfast-own"); a.listen(); socket.socket(socket.AF_UNIX).connect("\\0holdfast-own")
print(refused(lambda: socket.socket(socket.AF_UNIX).connect("\\0holdfast-none")), refused(lambda: socket.socket(socket.AF_UNIX).connect("${beside}")))
`,
  );
  const { stdout, stderr } = await promisify(execFile)(
    binary,
    ['run', '--backend', 'landlock', '--host', `localhost:${port}`, '--', 'python3', 'dial.py'],
    { cwd: project.workspace, env: project.environment },
  );
  expect(stdout, stderr).toBe('host says hello\n111 93 93\ninside True\n13 13\n');
});

test('a disconnected socket listens at the box’s own address, and not on the networks of the machine', async () => {
  const project = new Project();
  project.write(
    'listen.py',
    `
import ctypes, socket
libc = ctypes.CDLL(None, use_errno=True)
for kind, local in ((socket.AF_INET, "127.0.0.1"), (socket.AF_INET6, "::1")):
  server = socket.socket(kind); server.bind((local, 0)); server.listen()
  client = socket.socket(kind); client.connect((local, server.getsockname()[1]))
  libc.connect(client.fileno(), b"\\0" * 16, 16)
  print(libc.listen(client.fileno(), 5), client.getsockname()[0] == server.getsockname()[0])
  again = socket.create_connection((local, client.getsockname()[1]), 5); again.sendall(b"own"); print(client.accept()[0].recv(9).decode())
`,
  );
  const { stdout, stderr } = await promisify(execFile)(
    binary,
    ['run', '--backend', 'landlock', '--host', 'example.com', '--', 'python3', 'listen.py'],
    { cwd: project.workspace, env: project.environment },
  );
  expect(stdout, stderr).toBe('0 True\nown\n0 True\nown\n');
});

test('an unreadable directory is not moved to a place that would protect it', async () => {
  const project = new Project();
  const script = 'mkdir -p p/hooks new; echo x > p/hooks/pre-commit; chmod 0 p; mv -T p new/.git 2>&1; ls -A new';
  const { stdout } = await promisify(execFile)(binary, ['run', '--backend', 'landlock', '--', 'sh', '-c', script], {
    cwd: project.workspace,
    env: project.environment,
  });
  expect(stdout).toMatch(/^mv: [^\n]*Permission denied\n$/u);
});

import { describe, expect, test } from 'vitest';
import { backends } from '../lib/holdfast.ts';
import { tcpServer, webServer } from './lib/servers.ts';
import { withoutPacketFilter } from './lib/without-packet-filter.ts';
import { users, World } from './lib/world.ts';

const name = 'web.example';
const connect = (port: number): string => `python3 -c "
import socket
try: print(socket.create_connection(('${name}', ${port}), timeout=9).recv(9))
except OSError as error: print(error.strerror)"`;

describe.each(backends)('on a kernel without packet filter, with %s', (backend) => {
  test.each(users)('ports that the policy names work, and others are refused at once; as %s', async (user) => {
    const { port } = await webServer();
    const { port: other, accepted } = await tcpServer((socket) => void socket.end());
    const policy = `[network]\nhosts = ["${name}:${port}", "127.0.0.1:${port}", "127.0.0.1:${other}"]`;
    const script = `curl -sS http://${name}:${port}/; ${connect(other)}`;
    const world = new World({ user, names: [name], policy, through: withoutPacketFilter });
    const outcome = await world.inside(script, { backend });
    expect(outcome).toMatchObject({ status: 0, stdout: `GET ${name} /\nConnection refused\n` });
    const control = new World({ user, names: [name], policy });
    expect(await control.inside(script, { backend })).toMatchObject({
      stdout: `GET ${name} /\nConnection reset by peer\n`,
    });
    expect(accepted).toEqual([]);
  });

  test('a refused name fails at once on the usual ports, and look-ups work over UDP and TCP', async () => {
    const world = new World({ policy: `[network]\nhosts = ["${name}"]`, through: withoutPacketFilter });
    const lookUp = `python3 -c "
import socket, struct
query = struct.pack('!6H', 7, 256, 1, 0, 0, 0) + b'\\x03web\\x07example\\0' + struct.pack('!2H', 1, 1)
s = socket.create_connection(('198.18.0.1', 53)); s.sendall(struct.pack('!H', len(query)) + query)
print(s.recv(512)[-4] == 198)"`;
    const outcome = await world.inside(
      `curl -sS -o /dev/null -w '%{http_code} ' http://refused.example/; getent ahostsv4 ${name} | cut -c 1-5 | head -1; ${lookUp}`,
      { backend },
    );
    expect(outcome).toMatchObject({ status: 0, stdout: '403 198.1\nTrue\n' });
  }, 30_000);

  test('loopback services are reached by address', async () => {
    const { port } = await webServer();
    const world = new World({ policy: `[network]\nhosts = ["localhost:${port}"]`, through: withoutPacketFilter });
    expect(
      await world.run(['curl', '-sS', `http://127.0.0.1:${port}/`, `http://localhost:${port}/`], { backend }),
    ).toMatchObject({ status: 0, stdout: 'GET 127.0.0.1 /\nGET localhost /\n' });
  });
});

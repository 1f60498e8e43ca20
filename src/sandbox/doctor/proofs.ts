import type { Guarantee } from '../../plan/index.ts';

/**
 * One escape attempt. `attempt` runs under `sh` in the workspace, outside as the control and then in a box; it escapes
 * when it exits with 0; one of `fs.stage` when the workspace of the host has a file `staged` then. The variables OUTSIDE, SOCKET, ABSTRACT, PORT, VICTIM, SHARED and NODE are set for it.
 */
export interface Proof {
  readonly guarantee: Guarantee;
  readonly title: string;
  readonly attempt: string;
  /** Hosts that the box may reach in this attempt. Default: none, a closed network. */
  readonly hosts?: readonly string[];
}

const connect = (target: string) =>
  `"$NODE" -e 'const s=require("node:net").connect(${target});s.on("connect",()=>process.exit(0));s.on("error",()=>process.exit(1));setTimeout(()=>process.exit(1),2000)'`;

/** Escapes when the server's greeting arrives: in an open network a connection ends at Holdfast, which is no escape. */
const hear = (target: string) =>
  `"$NODE" -e 'const s=require("node:net").connect(${target});s.on("data",(d)=>process.exit(String(d).includes("canary")?0:1));s.on("error",()=>process.exit(1));s.on("close",()=>process.exit(1));setTimeout(()=>process.exit(1),2000)'`;

export const proofs: readonly Proof[] = [
  { guarantee: 'fs.read', title: 'read a file outside the workspace', attempt: 'grep -q canary "$OUTSIDE/secret"' },
  { guarantee: 'fs.write', title: 'write outside the workspace', attempt: 'echo pwned > "$OUTSIDE/written"' },
  { guarantee: 'fs.write', title: 'write outside through a symlink', attempt: 'ln -sfn "$OUTSIDE" link && echo pwned > link/through-link' },
  { guarantee: 'fs.deny-in-allow', title: 'read .env in the workspace', attempt: 'grep -q canary .env' },
  { guarantee: 'fs.deny-in-allow', title: 'plant a git hook', attempt: 'echo "exit 0" > .git/hooks/pre-commit' },
  { guarantee: 'fs.deny-in-allow', title: 'move .git away to make room for another', attempt: 'mv .git moved && mv moved .git' },
  { guarantee: 'fs.stage', title: 'change the workspace from a staged box', attempt: 'echo written > staged' },
  { guarantee: 'net.closed', title: 'connect to a server on the host', attempt: connect('+process.env.PORT,"127.0.0.1"') },
  { guarantee: 'net.names', title: 'reach the host by its own address beside a granted name', attempt: hear('+process.env.PORT,process.env.ADDRESS'), hosts: ['doctor.invalid'] },
  { guarantee: 'net.names', title: 'send a datagram past the resolver', attempt: `"$NODE" -e 'const s=require("node:dgram").createSocket("udp4");s.on("message",()=>process.exit(0));s.on("error",()=>process.exit(1));s.send("ping",+process.env.UDP_PORT,process.env.ADDRESS);setTimeout(()=>process.exit(1),1000)'`, hosts: ['doctor.invalid'] },
  { guarantee: 'unix-sockets', title: 'connect to a Unix socket of the host', attempt: connect('process.env.SOCKET') },
  { guarantee: 'abstract-sockets', title: 'connect to an abstract socket of the host', attempt: connect('"\\0"+process.env.ABSTRACT') },
  { guarantee: 'pid', title: 'see a process of the host', attempt: 'test "$(tr "\\0" " " < "/proc/$VICTIM/cmdline")" = "sleep 600 "' },
  { guarantee: 'signals', title: 'kill a process of the host', attempt: 'kill "$VICTIM" && sleep 0.1' },
  { guarantee: 'ipc', title: 'read shared memory of the host', attempt: 'grep -q canary "$SHARED"' },
  { guarantee: 'syscalls', title: 'make a user namespace', attempt: 'unshare -Ur true' },
];

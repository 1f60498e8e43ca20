/**
 * The serve room: one server for each user, which holds named sandboxes and runs commands in them for editors, agents
 * and terminals that come and go, through a Unix socket.
 *
 * Decisions, policies and boxes may not enter: what a client asks for becomes a call of a `Sandbox`, or of the hooks of
 * `src/agents`. A request is a file of `requests/`; whatever a client sends, or does not read, costs that client alone.
 */
export { startServer, type RunningServer, type ServerOptions } from './server/start-server.ts';
export { type ClientCall, connectServer, type ServerConnection } from './client/connect-server.ts';
export type { Request, Results } from './requests/index.ts';
export type { Seen } from './requests/streams.ts';
export type { ListedCommand, ListedSession } from './server/listed.ts';

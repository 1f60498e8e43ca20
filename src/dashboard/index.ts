/**
 * The dashboard room: one local page that shows sessions, approvals, refusals, the network, staged changes and the
 * journal, and the server behind it.
 *
 * It decides nothing. It shows the journal, the approvals' sockets and the staged layers, and acts through the
 * functions that the command line uses. Every text from a box, a repository or a server is filtered before it leaves
 * this process. A program that knows only the address cannot connect: the gate, the entrance and the headers are in
 * `server`.
 */
export { startDashboard, type Dashboard, type DashboardOptions } from './server/start.ts';

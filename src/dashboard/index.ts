/**
 * The dashboard room: one local page that shows sessions, approvals, refusals, the network, staged changes and the
 * journal, and the server behind it.
 *
 * It decides nothing: what it shows comes from the journal, the approvals' sockets and the staged layers, and what it
 * does goes through the functions that the command line uses. Every text that a box, a repository or a server chose is
 * filtered before it leaves this process, and no way in is open to a program that has only the address: the gate, the
 * entrance and the headers are in `server`.
 */
export { startDashboard, type Dashboard, type DashboardOptions } from './server/start.ts';

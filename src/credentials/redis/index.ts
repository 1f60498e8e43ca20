/**
 * Redis on the wire, RESP2 and RESP3: the login on both legs, and the commands of a client. Answers are carried unread. How
 * connections are made and what they may reach comes in with `BrokerWays`; sockets are not opened here, and HTTP may not
 * enter.
 */
export { createRedisBroker } from './broker.ts';

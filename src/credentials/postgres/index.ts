/**
 * PostgreSQL on the wire, protocol 3.0: both logins, and what passes between them. SQL is read only as far as the read-only
 * mode has to know it. How connections are made and what they may reach comes in with `BrokerWays`; sockets are not
 * opened here, and HTTP may not enter.
 */
export { createPostgresBroker } from './broker.ts';

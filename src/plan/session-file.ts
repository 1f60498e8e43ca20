/** Inside the box: what the session is and which policy holds. Read-only, and never a file of the host. */
export const sessionFile = '/run/holdfast/session.json';

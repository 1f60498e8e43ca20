/** Path inside the box of a file that describes the session and its policy. Read-only, and never a file of the host. */
export const sessionFile = '/run/holdfast/session.json';

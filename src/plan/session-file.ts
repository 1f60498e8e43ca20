/** Path inside the box: describes the session and its policy. Read-only, and never a file of the host. */
export const sessionFile = '/run/holdfast/session.json';

export const agentNotes = 'agents keep notes in it, and these count only once they are approved';

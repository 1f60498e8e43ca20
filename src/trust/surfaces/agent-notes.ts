export const agentNotes = 'agents keep notes in it, and what they write counts only once it is approved';

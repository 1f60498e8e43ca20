// Not through the index: a supervisor needs nothing else of the approvals room.
export { hiddenInRequest, unaskable } from '../../approvals/present/hidden-in-request.ts';

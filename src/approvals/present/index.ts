/**
 * What a person is shown before they answer: exactly what will happen, as text in which nothing is hidden, moves a cursor or
 * passes for a line of ours. Pure: no channel and no policy's decision may enter.
 */
export { presentSubject, type Presentation } from './present-subject.ts';

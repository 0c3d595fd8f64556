/** Refusals of the core. */
import { message } from '../message.ts';

export const problemWords = {
  'problem.pathTaken': message('A page at {path} already exists.', 'Refusal'),
  'problem.nextFreeAddress': message('The next free address is {path}.', 'After the refusal of an address'),
  'problem.protectedBeneath': message(
    'A page beneath is protected. Only {who} can move or delete it.',
    'Refusal',
  ),
  'problem.protected': message(
    '{reach, select, subtree {{path} is protected: only {who} can change it and everything beneath it.} other {{path} is protected: only {who} can change it.}}',
    'Refusal',
  ),
  'problem.protectedUntil': message(
    '{reach, select, subtree {{path} is protected: only {who} can change it and everything beneath it until {until}.} other {{path} is protected: only {who} can change it until {until}.}}',
    'Refusal',
  ),
};

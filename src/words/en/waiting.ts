/** Words of “waiting”. */
import { message } from '../message.ts';

export const waitingWords = {
  'waiting.letIn': message('Let in', 'Button'),
  'waiting.nobodyWaits': message('Nobody waits.', 'Words'),
  'waiting.refuseName': message('Refuse {name}', 'Name for screen readers'),
  'waiting.since': message('Since', 'Words'),
  'waiting.members': message('Members', 'Link'),
  'waiting.refuse': message('Refuse', 'Button'),
  'waiting.peopleWait': message(
    '{count, plural, one {# person waits} other {# people wait}} for approval. A request without a decision expires after 30 days.',
    'Paragraph',
  ),
};

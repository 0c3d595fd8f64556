/** Names of states of proposals, and of actions in them, on the site. */
import { say } from '#words/say.ts';

export const stateWords = {
  draft: say('proposals.draft'),
  open: say('proposals.open'),
  withdrawn: say('proposals.withdrawn'),
  merged: say('proposals.merged'),
} as const;

export const actionWords = {
  create: say('proposals.newPage'),
  edit: say('proposals.edit'),
  move: say('proposals.move'),
  delete: say('proposals.delete'),
} as const;

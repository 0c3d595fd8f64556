/** Comments of Confluence while its entities are read, which may come in any order. */
import type { Entity } from './entities.ts';

/** A comment, and words of the page if it stands in its text. Properties may come before it. */
export interface FoundComment {
  entity?: Entity;
  quote: string;
  isResolved: boolean;
}

export function commentIn(comments: Map<string, FoundComment>, id: string): FoundComment {
  const found = comments.get(id) ?? { quote: '', isResolved: false };
  comments.set(id, found);
  return found;
}

export function keepProperty(
  comments: Map<string, FoundComment>,
  { name, content, stringValue = '' }: Entity['properties'],
) {
  if (content === undefined || !/^\d{1,20}$/.test(content)) return;
  if (name === 'inline-original-selection') commentIn(comments, content).quote = stringValue;
  else if (name === 'status' && stringValue === 'resolved') commentIn(comments, content).isResolved = true;
}

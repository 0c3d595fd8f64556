/** Title, reason and time of a proposal as they are given. */

import { invalid } from '#core/model/problem.ts';
import { say } from '#words/say.ts';
import { maxTextLength, maxTitleLength } from './proposals.ts';

export function checkTexts<T extends { title?: string; text?: string }>({
  title,
  text,
}: T): { title: string; text: string } {
  const words = {
    ...(title === undefined ? {} : { title: checkText('title', title.replace(/\s+/g, ' '), maxTitleLength) }),
    ...(text === undefined ? {} : { text: checkText('text', text.replace(/\r\n?/g, '\n'), maxTextLength) }),
  };
  if (words.title === '') throw invalid('/title', say('problem.aProposalNeedsATitle'), 'required');
  return words as { title: string; text: string };
}

function checkText(name: string, given: string, most: number): string {
  const text = given.normalize('NFC').trim();
  if (text.length > most) throw invalid(`/${name}`, say('problem.atMostCharactersAreAllowedHere', { most }));
  if (!text.isWellFormed() || text.includes('\0'))
    throw invalid(`/${name}`, say('problem.theTextMustBeWellFormedUnicode'));
  return text;
}

export function checkTime(given: string | null | undefined, now: number): number | null | undefined {
  if (given === undefined || given === null) return given;
  const at = Date.parse(given);
  if (!(at > now)) throw invalid('/publishAt', say('problem.theTimeOfPublishingMustBeIn'));
  return at;
}

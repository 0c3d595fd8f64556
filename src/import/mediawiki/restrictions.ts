/**
 * `<restrictions>` of a page in a dump: `edit=sysop:move=autoconfirmed`, or only `sysop` in old dumps, or the access that an
 * export of this wiki states there as JSON, with the language of the page and the title of its original.
 */

import { languageOf } from '#core/model/language-tag.ts';
import { defaultPermissions } from '#core/model/permission.ts';
import { type Stated, statedInJson } from '../access.ts';

export interface StatedTranslation {
  language?: string;
  /** Title of the original. */
  translationOf?: string;
}

/** Levels of MediaWiki's default configuration. A page without a level is open to everybody. */
const levels: Readonly<Record<string, 'members' | 'administrators'>> = {
  user: 'members',
  autoconfirmed: 'members',
  editsemiprotected: 'members',
  sysop: 'administrators',
  editprotected: 'administrators',
};
const writing = /^(?:edit|move|create|upload|delete)$/;

/** A level that is not MediaWiki's own, or a restriction of reading, cannot be understood. */
export function statedInRestrictions(text: string): Stated | undefined {
  const written = text.trim();
  if (written === '') return undefined;
  if (written.startsWith('{')) return statedInJson(written);
  const parts = written.includes('=') ? written.split(':') : [`edit=${written}`];
  let isProtected = false;
  for (const part of parts) {
    const [action = '', level = ''] = part.split('=', 2).map((one) => one.trim());
    if (level === '') continue;
    const known = writing.test(action) ? levels[level] : undefined;
    if (!known) return { restriction: `restrictions: ${written.slice(0, 200)}` };
    isProtected ||= known === 'administrators';
  }
  if (!isProtected) return undefined;
  const protection = { level: 'administrators', subtree: false, reason: '', until: null } as const;
  return { access: { permissions: defaultPermissions, group: null, protection } };
}

export function translationInRestrictions(text: string): StatedTranslation {
  if (!text.trim().startsWith('{')) return {};
  try {
    const { language, translationOf } = JSON.parse(text);
    const tag = typeof language === 'string' ? languageOf(language) : undefined;
    return {
      ...(tag === undefined ? {} : { language: tag }),
      ...(typeof translationOf === 'string' ? { translationOf } : {}),
    };
  } catch {
    // The statement of access says what cannot be read.
    return {};
  }
}

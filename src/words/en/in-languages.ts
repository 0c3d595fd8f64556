/** Words of “in languages”. */
import { message } from '../message.ts';

export const inLanguagesWords = {
  'inLanguages.otherLanguages': message('Other languages', 'Name for screen readers'),
  'inLanguages.thisTranslationIsParagraph': message(
    'This translation is <strong>{paragraphs, plural, one {# paragraph} other {# paragraphs}} behind</strong> {title}. <link>What changed</link>',
    'Paragraph',
  ),
  'inLanguages.upToDate': message('Up to date', 'Button'),
  'inLanguages.inOtherLanguages': message('In other languages:', 'Before a list of links'),
};

/** Words of “translations”. */
import { message } from '../message.ts';

export const translationsWords = {
  'translations.aLanguageIsATagSuchAsCode': message(
    'A language is a tag such as {code}, {code2} or {code3}.',
    'Paragraph',
  ),
  'translations.allTranslationsIntoThis': message(
    'All translations into this language are up to date.',
    'Paragraph',
  ),
  'translations.allLanguages': message('All pages and languages', 'Link to the table of translations'),
  'translations.noPageHasTranslations': message(
    'No page has translations yet. Choose “Translate” in the menu of a page, or name the original of a page at “Translation of” in the editor.',
    'Paragraph',
  ),
  'translations.translate': message('Translate', 'Link; begins the translation of a page into a language'),
  'translations.paragraphsThatChanged': message(
    'What changed in the original',
    'Heading above paragraphs of the original, each beside its translation',
  ),
  'translations.changeThemInTheTranslation': message(
    'Change them in the translation (<link>Edit</link>), then say here which ones are up to date.',
    'Paragraph',
  ),
  'translations.notThereYet': message('Not there yet', 'In place of a paragraph that the translation lacks'),
  'translations.thisOneIsTranslated': message(
    'This paragraph is up to date',
    'Button below a paragraph and its translation',
  ),
  'translations.de': message('de', 'Example in an empty field'),
  'translations.original': message('Original', 'Words'),
  'translations.thereAreNoTranslationsOfThis': message(
    'There are no translations of this page.',
    'Paragraph',
  ),
  'translations.translations': message('Translations', 'Title of the page'),
  'translations.translationsThatAreBehind': message('Translations that are behind', 'Title of the page'),
  'translations.noOriginal': message(
    'No original',
    'State of a translation whose original was deleted or is hidden',
  ),
  'translations.upToDate': message('Up to date', 'Words'),
  'translations.language': message('Language', 'Heading of a column'),
  'translations.show': message('Show', 'Button'),
  'translations.more': message('More', 'Link'),
  'translations.page': message('Page', 'Heading of a column'),
  'translations.state': message('State', 'Heading of a column'),
  'translations.behindBy': message(
    '{paragraphs, plural, one {# paragraph} other {# paragraphs}} behind, {changes, plural, one {# change} other {# changes}}',
    'State of a translation',
  ),
};

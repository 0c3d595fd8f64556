/** Settings by the names that their page gives them. */
import type { SettingName } from '#core/model/settings.ts';
import type { Words } from '#html/html.ts';
import { say } from '#words/say.ts';

export const settingWords: Readonly<Record<SettingName, Words>> = {
  name: say('settings.nameOfTheWiki'),
  language: say('settings.languageOfItsTexts'),
  private: say('settings.privateWiki'),
  readOnly: say('settings.readOnlyMode'),
  home: say('settings.frontPage'),
  format: say('settings.formatOfNewPages'),
  signUp: say('settings.howPeopleBecomeMembers'),
  strangers: say('settings.peopleWithoutAnAccount'),
  accent: say('settings.colourOfLinksAndButtons'),
  font: say('settings.fontOfTextsAndHeadings'),
  css: say('settings.ownStyleSheet'),
  menu: say('settings.linksInTheHeader'),
  footer: say('settings.linksInTheFooter'),
  licence: say('settings.licenceOfTheContents'),
  imprint: say('settings.imprint'),
  privacy: say('settings.privacy'),
  announcement: say('settings.announcement'),
  statistics: say('settings.countReads'),
  checkLinks: say('settings.checkLinks'),
  synonyms: say('settings.synonyms'),
  logo: say('settings.logo'),
  logoDark: say('settings.logoInTheDarkTheme'),
  icon: say('settings.iconOfBrowserTabs'),
};

/** Words of “old banner”. */
import { message } from '../message.ts';

export const oldBannerWords = {
  'oldBanner.restoreThisVersion': message('Restore this version', 'Button'),
  'oldBanner.thisIsAnOlderVersionFromTime': message(
    'This is an older version, from {time}. <link>Show the current version</link> or <link2>compare both</link2>.',
    'Paragraph',
  ),
};

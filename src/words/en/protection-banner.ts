/** Words of “protection banner”. */
import { message } from '../message.ts';

export const protectionBannerWords = {
  'protectionBanner.pathWithEverythingBeneathIt': message('{path}, with everything beneath it,', 'Words'),
  'protectionBanner.isProtected': message(
    '{what} is protected: only {who} can change it.',
    'A banner; {what} is “This page”, or an address with everything beneath it',
  ),
  'protectionBanner.isProtectedUntil': message(
    '{what} is protected until {time}: only {who} can change it.',
    'A banner; {what} is “This page”, or an address with everything beneath it',
  ),
};

/** Words of “review banner”. */
import { message } from '../message.ts';

export const reviewBannerWords = {
  'reviewBanner.verified': message('Verified?', 'Link'),
  'reviewBanner.toBeReviewedSince': message('To be reviewed since {time}.', 'A banner'),
};

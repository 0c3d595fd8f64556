/** A member's second factor: one-time passwords beside the passphrase. */
import {
  recoveryCodeRenewal,
  secondFactorBeginning,
  secondFactorConfirmation,
  secondFactorEnding,
  secondFactorReset,
  secondFactorState,
} from '#core/sign-in/second-factor-operations.ts';
import { del, get, type HttpFace, post } from '../operation-routes.ts';

const url = '/v1/members/me/second-factor';

export const secondFactorFace: HttpFace = {
  tag: 'Members',
  routes: [
    get(url, secondFactorState),
    post(url, secondFactorBeginning),
    post(`${url}/confirm`, secondFactorConfirmation),
    post(`${url}/recovery-codes`, recoveryCodeRenewal),
    del(url, secondFactorEnding),
    del('/v1/members/:id/second-factor', secondFactorReset),
  ],
};

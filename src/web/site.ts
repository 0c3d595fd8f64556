/** Context of all pages of the site: the service, settings, and data of the current visit. */

import type { Actor, Wiki } from '#core/model/permission.ts';
import type { Settings } from '#core/model/settings.ts';
import type { SignedIn } from '#core/ports/sessions.ts';
import type { HtmlValue, Language } from '#html/html.ts';
import type { Costs } from '#http/costs.ts';
import type { Limits } from '#http/limits.ts';
import type { ProposalViews, ShownProposal } from '#http/proposal-view.ts';
import type { Service } from '#http/service.ts';
import type { SignInLimits } from '#http/sign-in-limits.ts';
import type { Assets } from './assets.ts';
import type { SiteLook } from './site-look.ts';

export interface WebSettings {
  /** Name of the wiki now; administrators can change it, as they can `home` and `defaultFormat`. */
  readonly name: string;
  /** Public address without trailing slash; if empty, it is taken from each request. */
  baseUrl: string;
  /** Path of the page shown at `/`. */
  readonly home: string;
  maxUploadBytes: number;
  readonly defaultFormat: 'wikitext' | 'markdown';
  /** Days after which deleted pages are purged; 0 for never. */
  trashDays: number;
  /** URL of map tiles with {z}, {x}, {y}; if empty, only the bundled map is used. */
  tiles?: string;
}

export interface Site {
  service: Service;
  settings: WebSettings;
  limits: Limits;
  costs: Costs;
  signIns: SignInLimits;
  views: ProposalViews;
  assets: Assets;
  /** The wiki's own look now. */
  look(): SiteLook;
}

export type Theme = 'light' | 'dark' | 'system';

export interface Visit extends Wiki {
  actor: Actor;
  /** Session of the cookie; undefined for anonymous visitors. */
  signedIn: SignedIn | undefined;
  /** Number of unread notifications, at most 100. */
  unread: number;
  /** Number of people who wait for this administrator's approval. */
  waiting: number;
  /** Number of submissions that this moderator can decide on. */
  submitted: number;
  /** Submissions that people without an account may make here. */
  strangers: Settings['strangers'];
  theme: Theme;
  /** Language of the site for this visitor. */
  language: Language;
  /** Scheme and host of the site as visitors use them, without trailing slash. */
  origin: string;
  /** Path and query of this request, as the address to return to. */
  url: string;
  now: number;
  /** Nonce with which the editor's script may add style sheets. */
  nonce: string;
  /** A sentence left by the previous page, such as “Saved.” */
  notice: HtmlValue;
  /** The proposal with which the wiki is shown, if there is one, and the address of the request with it. */
  proposal?: ShownProposal & { url: string };
  /** Whether the request has an invalid session cookie. */
  isSessionLost: boolean;
}

/** For pages that look the same to all anonymous visitors. They contain relative times, precise to the minute. */
export const shared = { isShared: true, sharedForSeconds: 30 };
